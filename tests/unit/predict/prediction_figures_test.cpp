/// The examples of Huang and Zhang, "Persuasive Prediction of Concurrency Access Anomalies", ISSTA
/// 2011, as traces: what is predicted, and by which order of events it can happen.
///
/// The site of an event is its number in the paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "predict/candidates.hpp"
#include "predict/history_builder.hpp"
#include "predict/pattern_text.hpp"
#include "predict/witness.hpp"
#include "unit/predict/trace_builder.hpp"

namespace unravel {
namespace {

constexpr std::uint64_t kVarX = 0x1000;
constexpr std::uint64_t kVarY = 0x1010;
constexpr std::uint64_t kVarZ = 0x1020;
constexpr std::uint64_t kLocal = 0x1030;
constexpr std::uint64_t kLockA = 0x2000;
constexpr std::uint64_t kLockB = 0x2040;
constexpr std::uint64_t kLockC = 0x2080;
constexpr std::uint64_t kSemaphore = 0x3000;

/// Events in the order of a run.
class Figure {
 public:
  void read(std::uint32_t thread, std::uint64_t address, std::uint32_t site) {
    trace_.load(thread, address, site);
  }
  void write(std::uint32_t thread, std::uint64_t address, std::uint32_t site) {
    trace_.store(thread, address, site);
  }
  void acquire(std::uint32_t thread, std::uint64_t lock, std::uint32_t site) {
    trace_.add(thread, Operation::kLock, lock).site = site;
  }
  void release(std::uint32_t thread, std::uint64_t lock, std::uint32_t site) {
    trace_.add(thread, Operation::kUnlock, lock).site = site;
  }
  void post(std::uint32_t thread, std::uint64_t semaphore, std::uint32_t site) {
    trace_.add(thread, Operation::kSemPost, semaphore, 1).site = site;
  }
  void take_unit(std::uint32_t thread, std::uint64_t semaphore, std::uint32_t site) {
    trace_.add(thread, Operation::kSemWait, semaphore, 0).site = site;
  }

  History history() {
    set_clocks();
    SharedMemory shared;
    shared.take(trace_.events);
    HistoryBuilder builder(shared);
    builder.take(trace_.events);
    return builder.finish(std::vector<wire::Site>(32));
  }

 private:
  /// As a run counts: hooks since the thread's last operation.
  void set_clocks() {
    std::map<std::uint32_t, wire::Clock> clocks;
    for (TraceEvent& event : trace_.events) {
      wire::Clock& clock = clocks[event.thread];
      if (wire::is_synchronisation(event.operation)) {
        clock = {clock.operations + 1, 0};
      } else {
        ++clock.hooks;
      }
      event.clock = clock;
    }
  }

  TraceBuilder trace_;
};

using Sites = std::vector<std::uint32_t>;

Sites sites_of(const History& history, const std::vector<EventIndex>& events) {
  Sites sites;
  for (const EventIndex event : events) sites.push_back(history.events[event].site);
  return sites;
}

EventIndex event_at(const History& history, std::uint32_t site) {
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    if (history.events[i].site == site) return i;
  }
  ADD_FAILURE() << "no event of site " << site << " was kept";
  return 0;
}

Goal neighbours(const History& history, std::uint32_t first, std::uint32_t then) {
  return {Goal::Kind::kNeighbours, {event_at(history, first), event_at(history, then)}};
}

/// The sites of a witness; nothing: the rung has none.
std::optional<Sites> witness_at(const History& history, const Goal& goal, Rung rung) {
  const auto order = witness(history, goal, rung);
  if (!order) return std::nullopt;
  return sites_of(history, *order);
}

/// Why threads cannot make these events in this order; empty: they can.
std::string obstacle(const History& history, const std::vector<EventIndex>& order) {
  std::vector<EventIndex> next;  // by thread
  for (std::uint32_t i = 0; i < history.threads(); ++i) next.push_back(history.first_of(i));
  std::map<std::uint32_t, std::uint32_t> owner;  // of locks
  std::vector<bool> is_done(history.events.size());
  for (const EventIndex event : order) {
    const KeptEvent& kept = history.events[event];
    const std::string which = std::to_string(kept.site);
    if (next[kept.thread] != event) return which + " is not the thread's next event";
    next[kept.thread] = kept.next;
    for (const OrderEdge& edge : History::edges_to(history.must, event)) {
      if (!is_done[edge.from]) return which + " has to wait";
    }
    if (is_acquire(kept.role)) {
      if (owner.contains(kept.object)) return which + " takes a lock that is held";
      owner[kept.object] = kept.thread;
    }
    if (kept.role == Role::kRelease) owner.erase(kept.object);
    is_done[event] = true;
  }
  return "";
}

RacingSites race_sites(const History& history, const std::vector<Candidate>& candidates) {
  RacingSites found;
  for (const Candidate& candidate : candidates) {
    const Sites sites = sites_of(history, candidate.events());
    found.insert(std::minmax({sites[0], sites[1]}));
  }
  return found;
}

/// Whether some candidate is this pattern at these sites, in this order.
bool has(const History& history, const std::vector<Pattern>& patterns,
         const std::vector<Candidate>& candidates, std::string_view name, const Sites& sites) {
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
    return patterns[candidate.pattern].name == name &&
           sites_of(history, candidate.events()) == sites;
  });
}

constexpr Rung kSoundRungs[] = {Rung::kSyncPreserving, Rung::kLockReordering};

// --- Section 2 -----------------------------------------------------------------------------------

/// T1: 1 local work, 2 `if (x == 1)`, 3 `if (y == 1)`. T2: 5 `x = 1`, 6 `x = 0`, 7 `y = 1`.
History section_2() {
  Figure figure;
  figure.write(1, kLocal, 1);
  figure.write(2, kVarX, 5);
  figure.read(1, kVarX, 2);
  figure.read(1, kVarY, 3);
  figure.write(2, kVarX, 6);
  figure.write(2, kVarY, 7);
  return figure.history();
}

TEST(SectionTwo, HasExactlyItsThreeRaces) {
  const History history = section_2();
  const std::vector<Candidate> candidates = find_patterns(history, race_patterns(), {});

  EXPECT_EQ(candidates.size(), 3u);
  EXPECT_EQ(race_sites(history, candidates), (RacingSites{{2, 5}, {2, 6}, {3, 7}}));
}

TEST(SectionTwo, ShowsOneRaceAndPredictsTheOthersInTheOrderThatTheRunDidNotHave) {
  const History history = section_2();
  std::map<Sites, bool> seen;
  for (const Candidate& candidate : find_patterns(history, race_patterns(), {})) {
    seen[sites_of(history, candidate.events())] = candidate.is_seen;
  }
  EXPECT_EQ(seen, (std::map<Sites, bool>{{{2, 5}, true}, {{6, 2}, false}, {{7, 3}, false}}));
}

TEST(SectionTwo, CanWriteYBeforeItIsRead) {
  const History history = section_2();
  const Goal goal = neighbours(history, 7, 3);

  // The paper has 1, too. It is local work, which is not kept.
  EXPECT_EQ(witness_at(history, goal, Rung::kSyncPreserving), (Sites{5, 2, 6, 7, 3}));
  for (const Rung rung : {Rung::kLockReordering, Rung::kSpeculative}) {
    const auto order = witness(history, goal, rung);
    ASSERT_TRUE(order) << name(rung);
    EXPECT_EQ(obstacle(history, *order), "") << name(rung);
  }
}

TEST(SectionTwo, HasAWitnessForEachRaceOnEachSoundRung) {
  const History history = section_2();
  for (const Candidate& candidate : find_patterns(history, race_patterns(), {})) {
    for (const Rung rung : kSoundRungs) {
      const auto order = witness(history, candidate.goal, rung);
      ASSERT_TRUE(order) << name(rung);
      EXPECT_EQ(obstacle(history, *order), "") << name(rung);
    }
  }
}

// --- Figure 2 ------------------------------------------------------------------------------------

TEST(FigureTwo, RaceIsAReadAndAWrite) {
  Figure figure;
  figure.read(1, kVarX, 1);
  figure.write(1, kVarY, 9);
  figure.read(2, kVarY, 9);
  figure.write(2, kVarX, 2);
  const History history = figure.history();
  const std::vector<Pattern> patterns = race_patterns();

  // Each pair is there once, in the order that the run did not have.
  const std::vector<Candidate> candidates = find_patterns(history, patterns, {});
  EXPECT_TRUE(has(history, patterns, candidates, "WR", {2, 1}));
  EXPECT_TRUE(race_sites(history, candidates).contains({1, 2}));
}

TEST(FigureTwo, RaceOfAWriteAndAReadIsFoundAsReadAndWrite) {
  Figure figure;
  figure.write(1, kVarX, 1);
  figure.read(2, kVarX, 2);
  const History history = figure.history();
  const std::vector<Pattern> patterns = race_patterns();

  EXPECT_TRUE(has(history, patterns, find_patterns(history, patterns, {}), "RW", {2, 1}));
}

TEST(FigureTwo, AtomicityViolationIsAWriteBetweenTwoReads) {
  Figure figure;
  figure.read(1, kVarX, 1);
  figure.read(1, kVarX, 2);
  figure.write(2, kVarX, 3);
  const History history = figure.history();
  const std::vector<Pattern> patterns = conflict_cycles();
  const std::vector<Candidate> candidates = find_patterns(history, patterns, {});

  EXPECT_TRUE(has(history, patterns, candidates, "RWR", {1, 3, 2}));
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_FALSE(candidates[0].is_seen);
  EXPECT_EQ(witness_at(history, candidates[0].goal, Rung::kSyncPreserving), (Sites{1, 3, 2}));
}

TEST(FigureTwo, AtomicityViolationThatTheRunHasIsSeen) {
  Figure figure;
  figure.read(1, kVarX, 1);
  figure.write(2, kVarX, 3);
  figure.read(1, kVarX, 2);
  const History history = figure.history();
  const std::vector<Candidate> candidates = find_patterns(history, conflict_cycles(), {});

  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_TRUE(candidates[0].is_seen);
}

TEST(FigureTwo, AtomicityViolationIsNoneIfOneLockProtectsAll) {
  Figure figure;
  figure.acquire(1, kLockA, 10);
  figure.read(1, kVarX, 1);
  figure.read(1, kVarX, 2);
  figure.release(1, kLockA, 11);
  figure.acquire(2, kLockA, 12);
  figure.write(2, kVarX, 3);
  figure.release(2, kLockA, 13);

  EXPECT_TRUE(find_patterns(figure.history(), conflict_cycles(), {}).empty());
}

TEST(FigureTwo, AtomicityViolationComesBetweenTwoSectionsOfTheSameLock) {
  Figure figure;
  figure.acquire(1, kLockA, 10);
  figure.read(1, kVarX, 1);
  figure.release(1, kLockA, 11);
  figure.acquire(1, kLockA, 12);
  figure.read(1, kVarX, 2);
  figure.release(1, kLockA, 13);
  figure.acquire(2, kLockA, 14);
  figure.write(2, kVarX, 3);
  figure.release(2, kLockA, 15);
  const History history = figure.history();
  const std::vector<Pattern> patterns = conflict_cycles();
  const std::vector<Candidate> candidates = find_patterns(history, patterns, {});

  ASSERT_TRUE(has(history, patterns, candidates, "RWR", {1, 3, 2}));
  // The section of the write has to come before the second one of the reads.
  EXPECT_EQ(witness_at(history, candidates[0].goal, Rung::kSyncPreserving), std::nullopt);
  EXPECT_EQ(witness_at(history, candidates[0].goal, Rung::kLockReordering),
            (Sites{10, 1, 11, 14, 3, 15, 12, 2}));
}

/// T1 writes x and y as one unit, T2 reads both as one.
History figure_2_set() {
  Figure figure;
  figure.acquire(1, kLockA, 10);
  figure.write(1, kVarX, 1);
  figure.write(1, kVarY, 4);
  figure.release(1, kLockA, 11);
  figure.acquire(2, kLockB, 12);
  figure.read(2, kVarX, 2);
  figure.read(2, kVarY, 3);
  figure.release(2, kLockB, 13);
  return figure.history();
}

TEST(FigureTwo, SetViolationIsAnInconsistentRead) {
  const History history = figure_2_set();
  const std::vector<Pattern> patterns = conflict_cycles();
  const std::vector<Candidate> candidates = find_patterns(history, patterns, {});

  EXPECT_TRUE(has(history, patterns, candidates, "Wx-R'x-R'y-Wy", {1, 2, 3, 4}));
  for (const Candidate& candidate : candidates) EXPECT_EQ(candidate.kind, AnomalyKind::kSet);
  const Goal goal = {
      Goal::Kind::kOrder,
      {event_at(history, 1), event_at(history, 2), event_at(history, 3), event_at(history, 4)}};
  EXPECT_EQ(witness_at(history, goal, Rung::kSyncPreserving), (Sites{10, 1, 12, 2, 3, 4}));
}

TEST(FigureTwo, SetViolationMayEndWithAnAccessLikeAnEarlierOne) {
  Figure figure;
  figure.acquire(1, kLockA, 10);
  figure.read(1, kVarX, 1);  // a loop of two rounds
  figure.write(1, kVarY, 2);
  figure.read(1, kVarX, 1);
  figure.write(1, kVarY, 2);
  figure.release(1, kLockA, 11);
  figure.acquire(2, kLockB, 12);
  figure.read(2, kVarY, 3);
  figure.write(2, kVarX, 4);
  figure.release(2, kLockB, 13);
  const History history = figure.history();
  const std::vector<Pattern> patterns = conflict_cycles();
  const std::vector<Candidate> candidates = find_patterns(history, patterns, {});

  // y is the first variable here: it is written, read, and then x is read too late.
  EXPECT_TRUE(has(history, patterns, candidates, "Wx-R'x-W'y-Ry", {2, 3, 4, 1}));
}

TEST(FigureTwo, SetViolationNeedsUnits) {
  Figure figure;
  figure.write(1, kVarX, 1);
  figure.write(1, kVarY, 4);
  figure.read(2, kVarX, 2);
  figure.read(2, kVarY, 3);

  EXPECT_TRUE(find_patterns(figure.history(), conflict_cycles(), {}).empty());
}

// --- Patterns of users ---------------------------------------------------------------------------

std::vector<Pattern> parsed(std::string_view text) {
  Result<std::vector<Pattern>> result = parse_patterns(text, "mine.txt");
  EXPECT_TRUE(result) << result.error().what;
  return result ? std::move(*result) : std::vector<Pattern>{};
}

/// T1 writes x and y, T2 passes on x in z, T3 reads z and y: it may see the new x with the old y.
TEST(UsersPattern, MayBeOfThreeThreads) {
  Figure figure;
  figure.acquire(1, kLockA, 10);
  figure.write(1, kVarX, 1);
  figure.write(1, kVarY, 6);
  figure.release(1, kLockA, 11);
  figure.acquire(2, kLockB, 12);
  figure.read(2, kVarX, 2);
  figure.write(2, kVarZ, 3);
  figure.release(2, kLockB, 13);
  figure.acquire(3, kLockC, 14);
  figure.read(3, kVarZ, 4);
  figure.read(3, kVarY, 5);
  figure.release(3, kLockC, 15);
  const History history = figure.history();
  const std::vector<Pattern> patterns = parsed(
      "pattern passed-on set\n"
      "  writer u1 write x\n"
      "  relay  u2 read  x\n"
      "  relay  u2 write z\n"
      "  reader u3 read  z\n"
      "  reader u3 read  y\n"
      "  writer u1 write y\n");
  const std::vector<Candidate> candidates = find_patterns(history, patterns, {});

  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates[0].kind, AnomalyKind::kPattern);
  EXPECT_EQ(sites_of(history, candidates[0].events()), (Sites{1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(candidates[0].is_seen);
  EXPECT_EQ(witness_at(history, candidates[0].goal, Rung::kSyncPreserving),
            (Sites{10, 1, 12, 2, 3, 14, 4, 5, 6}));
}

TEST(UsersPattern, OfNeighboursMayComeBackToAThread) {
  Figure figure;
  figure.read(1, kVarX, 1);
  figure.write(1, kVarX, 2);
  figure.write(2, kVarX, 3);
  const History history = figure.history();
  const std::vector<Candidate> candidates = find_patterns(
      history, parsed("pattern lost-update adjacent\nt1 u1 read x\nt2 u2 write x\nt1 u1 write x\n"),
      {});

  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(sites_of(history, candidates[0].events()), (Sites{1, 3, 2}));
  EXPECT_EQ(witness_at(history, candidates[0].goal, Rung::kSyncPreserving), (Sites{1, 3, 2}));
}

TEST(UsersPattern, NeedsAnEventForEachOfItsOwn) {
  Figure figure;
  figure.write(1, kVarX, 1);
  figure.read(2, kVarX, 2);
  const History history = figure.history();

  // Two units of one thread: one write cannot be both.
  EXPECT_TRUE(
      find_patterns(history, parsed("pattern p\nt1 u1 write x\nt2 u2 read x\nt1 u3 write x\n"), {})
          .empty());
}

// --- Figure 4 ------------------------------------------------------------------------------------

/// T1: v1 v2 v3. T2: v4 v5 v6. Each event conflicts with that of the other thread beside it.
History figure_4() {
  Figure figure;
  figure.write(1, kVarX, 1);
  figure.write(1, kVarY, 2);
  figure.write(1, kVarZ, 3);
  figure.write(2, kVarX, 4);
  figure.write(2, kVarY, 5);
  figure.write(2, kVarZ, 6);
  return figure.history();
}

TEST(FigureFour, WitnessEndsWithTheRaceAndKeepsTheOrderOfThreads) {
  const History history = figure_4();
  const RacingSites races = race_sites(history, find_patterns(history, race_patterns(), {}));
  EXPECT_TRUE(races.contains({2, 5}));

  for (const Rung rung :
       {Rung::kSyncPreserving, Rung::kLockReordering, Rung::kSpeculative, Rung::kPaper}) {
    const auto order = witness(history, neighbours(history, 2, 5), rung);
    ASSERT_TRUE(order) << name(rung);
    const Sites sites = sites_of(history, *order);
    ASSERT_GE(sites.size(), 2u);
    EXPECT_EQ(Sites(sites.end() - 2, sites.end()), (Sites{2, 5})) << name(rung);
    EXPECT_EQ(obstacle(history, *order), "") << name(rung);
    for (const std::uint32_t beyond : {3u, 6u}) {
      EXPECT_EQ(std::count(sites.begin(), sites.end(), beyond), 0) << name(rung);
    }
  }
}

TEST(FigureFour, OrderOfThePaperIsTheOneThatItPrints) {
  const History history = figure_4();
  EXPECT_EQ(witness_at(history, neighbours(history, 2, 5), Rung::kPaper), (Sites{1, 4, 2, 5}));
}

// --- Figure 5 ------------------------------------------------------------------------------------

constexpr std::uint32_t kPost = 20;
constexpr std::uint32_t kTake = 21;

/// T1: v1 acquire, v2, v3, v4 release. T2: v5, v6 acquire, v7 release, v8. `is_ordered`: v2 comes
/// before v5 in every run.
History figure_5(bool is_ordered) {
  Figure figure;
  figure.acquire(1, kLockA, 1);
  figure.write(1, kVarX, 2);
  if (is_ordered) figure.post(1, kSemaphore, kPost);
  figure.write(1, kVarY, 3);
  figure.release(1, kLockA, 4);
  if (is_ordered) figure.take_unit(2, kSemaphore, kTake);
  figure.write(2, kVarX, 5);
  figure.acquire(2, kLockA, 6);
  figure.release(2, kLockA, 7);
  figure.write(2, kVarY, 8);
  return figure.history();
}

TEST(FigureFive, IsPredictedWithAndWithoutTheOrder) {
  for (const bool is_ordered : {false, true}) {
    const History history = figure_5(is_ordered);
    EXPECT_EQ(history.is_before(event_at(history, 2), event_at(history, 5)), is_ordered);
    EXPECT_FALSE(history.is_before(event_at(history, 3), event_at(history, 8)));
    const RacingSites races = race_sites(history, find_patterns(history, race_patterns(), {}));
    EXPECT_TRUE(races.contains({3, 8}));
    EXPECT_EQ(races.contains({2, 5}), !is_ordered);
  }
}

TEST(FigureFive, WitnessMovesTheWholeSection) {
  const History history = figure_5(false);
  const Goal goal = neighbours(history, 3, 8);
  const Sites papers = {5, 6, 7, 1, 2, 3, 8};

  EXPECT_EQ(witness_at(history, goal, Rung::kPaper), papers);
  EXPECT_EQ(witness_at(history, goal, Rung::kLockReordering), papers);
  EXPECT_EQ(obstacle(history, *witness(history, goal, Rung::kPaper)), "");
}

TEST(FigureFive, HasNoWitnessThatKeepsTheOrderOfSections) {
  const History history = figure_5(false);
  EXPECT_EQ(witness_at(history, neighbours(history, 3, 8), Rung::kSyncPreserving), std::nullopt);
  EXPECT_EQ(witness_at(history, neighbours(history, 8, 3), Rung::kSyncPreserving), std::nullopt);
}

TEST(FigureFive, WitnessMayHaveTheRaceInTheOtherOrder) {
  const History history = figure_5(false);
  EXPECT_EQ(witness_at(history, neighbours(history, 8, 3), Rung::kLockReordering),
            (Sites{5, 6, 7, 1, 2, 8, 3}));
}

TEST(FigureFive, HasNoSoundWitnessIfTheOrderMustBe) {
  const History history = figure_5(true);
  for (const Rung rung : kSoundRungs) {
    EXPECT_EQ(witness_at(history, neighbours(history, 3, 8), rung), std::nullopt) << name(rung);
    EXPECT_EQ(witness_at(history, neighbours(history, 8, 3), rung), std::nullopt) << name(rung);
  }
}

TEST(FigureFive, OrderOfThePaperCannotHappenIfTheOrderMustBe) {
  const History history = figure_5(true);
  const auto order = papers_order(history, neighbours(history, 3, 8));

  ASSERT_TRUE(order);
  EXPECT_EQ(obstacle(history, *order), std::to_string(kTake) + " has to wait");
}

// --- Theorem 1 -----------------------------------------------------------------------------------

/// T1: acquire a, acquire b, release b, write x, release a. T2: acquire b, write x, release b.
/// Locks are nested, and the race is real.
History counterexample() {
  Figure figure;
  figure.acquire(1, kLockA, 1);
  figure.acquire(1, kLockB, 2);
  figure.release(1, kLockB, 3);
  figure.write(1, kVarX, 4);
  figure.release(1, kLockA, 5);
  figure.acquire(2, kLockB, 6);
  figure.write(2, kVarX, 7);
  figure.release(2, kLockB, 8);
  return figure.history();
}

TEST(TheoremOne, IsWrongForALockThatWasTakenAndReleasedInside) {
  const History history = counterexample();
  EXPECT_EQ(race_sites(history, find_patterns(history, race_patterns(), {})),
            (RacingSites{{4, 7}}));
  const auto order = papers_order(history, neighbours(history, 4, 7));

  ASSERT_TRUE(order);
  EXPECT_EQ(sites_of(history, *order), (Sites{6, 1, 2, 3, 4, 7}));
  EXPECT_EQ(obstacle(history, *order), "2 takes a lock that is held");
}

TEST(TheoremOne, IsNotNeededBySoundWitnesses) {
  const History history = counterexample();
  // Both sound rungs have one, in either order of the race.
  for (const Rung rung : kSoundRungs) {
    for (const Goal& goal : {neighbours(history, 4, 7), neighbours(history, 7, 4)}) {
      const auto order = witness(history, goal, rung);
      ASSERT_TRUE(order) << name(rung);
      EXPECT_EQ(obstacle(history, *order), "") << name(rung);
      EXPECT_EQ(std::vector<EventIndex>(order->end() - 2, order->end()), goal.events);
    }
    EXPECT_EQ(witness_at(history, neighbours(history, 4, 7), rung), (Sites{1, 2, 3, 6, 4, 7}));
  }
}

}  // namespace
}  // namespace unravel
