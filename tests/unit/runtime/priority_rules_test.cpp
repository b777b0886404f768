/// What the priority rule draws: change points, priorities of operations, who starves; and threads
/// that go round in a loop.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "runtime/core/decide.hpp"
#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::SimLimits;
using sim::SimProgram;
using sim::SimRun;
using wire::Rule;
using wire::RuleKind;

/// That many of `runs` have a property which each has with this chance: within five deviations,
/// which one seed in 1.7 million misses.
void expect_share(int count, int runs, double chance) {
  const double deviation = std::sqrt(runs * chance * (1 - chance));
  EXPECT_NEAR(count, runs * chance, 5 * deviation) << "of " << runs;
}

/// Two threads, the second of which can always run.
class TwoThreads {
 public:
  explicit TwoThreads(const Rule& rule) : plan_(rule) {
    plan_.use(wire::PointSet::kMemory, /*ticks=*/false);
    for (std::uint32_t i = 0; i < 2; ++i) {
      threads_[i].slot = threads_[i].ordinal = i;
      threads_[i].in_use = true;
      by_slot_[i] = &threads_[i];
      runnable_.add(i);
      plan_.thread_appeared(threads_[i]);
    }
  }

  std::uint32_t next(std::uint32_t current, std::uint64_t step, Leave leave = Leave::kMayStay) {
    return plan_
        .decide({.current = &threads_[current],
                 .can_go_on = runnable_.contains(current),
                 .leave = leave,
                 .runnable = &runnable_,
                 .fireable = &fireable_,
                 .by_slot = by_slot_.data(),
                 .slots = 2,
                 .step = step})
        .next;
  }

  Plan plan_;
  std::array<Thread, 2> threads_;
  std::array<Thread*, 2> by_slot_{};
  ThreadSet runnable_;
  ThreadSet fireable_;
};

// --- Change points ---

/// The steps up to `last` at which the thread that has the turn is lowered, once for each time.
std::vector<std::uint64_t> change_points(const Rule& rule, std::uint64_t last) {
  TwoThreads run(rule);
  std::vector<std::uint64_t> points;
  std::uint64_t before = (std::uint64_t{1} << 32);  // every lowered thread is one below the last
  for (std::uint64_t step = 1; step <= last; ++step) {
    run.next(0, step);
    const std::uint64_t priority = run.threads_[0].rule.priority;
    if (priority >= std::uint64_t{1} << 32) continue;
    for (; before > priority; --before) points.push_back(step);
  }
  return points;
}

Rule drawing(unsigned count, std::uint64_t length, std::uint64_t seed) {
  return {.kind = RuleKind::kPriority,
          .drawn_change_points = static_cast<std::uint8_t>(count),
          .seed = seed,
          .length = length};
}

TEST(DrawnChangePoints, AreAsManyAsAskedForWithinTheRun) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const unsigned count : {0u, 1u, 4u, 16u}) {
      EXPECT_EQ(change_points(drawing(count, 100, seed), 100).size(), count) << seed;
    }
    EXPECT_EQ(change_points(drawing(3, 1, seed), 1).size(), 3u) << "however short it is";
    EXPECT_EQ(change_points(drawing(3, 0, seed), 1).size(), 3u);
  }
}

TEST(DrawnChangePoints, AreNoMoreThanThereIsRoomFor) {
  EXPECT_EQ(change_points(drawing(200, 50, 1), 50).size(), wire::kMostChangePoints);
}

TEST(DrawnChangePoints, AreTheSameForTheSameSeed) {
  EXPECT_EQ(change_points(drawing(4, 1'000, 7), 1'000), change_points(drawing(4, 1'000, 7), 1'000));
  EXPECT_NE(change_points(drawing(4, 1'000, 7), 1'000), change_points(drawing(4, 1'000, 8), 1'000));
}

TEST(DrawnChangePoints, AreSpreadEvenlyOverTheRun) {
  constexpr int kSeeds = 4'000;
  std::array<int, 10> tenths{};
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ++tenths[(change_points(drawing(1, 10, seed), 10).at(0) - 1)];
  }
  for (const int count : tenths) expect_share(count, kSeeds, 0.1);
}

// --- Priorities of operations ---

Rule pos(std::uint64_t seed) { return {.kind = RuleKind::kPriority, .redraws = 1, .seed = seed}; }

constexpr int kRuns = 4'000;

/// In how many of them the first thread makes its write after all of the second's.
int comes_last(const sim::Steps& others) {
  const SimProgram program{.threads = {{"one", {"write x 1", "order = order + 1", "one = order"}},
                                       {"many", sim::in_order(others, {"order = order + 1"})}}};
  int last = 0;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    last += sim::run(program, pos(seed)).value("one") == 2;
  }
  return last;
}

TEST(Pos, DrawsAPriorityForEveryOperation) {
  // It comes last if its draw is below the other thread's four, its start's and that of the point
  // after its start.
  expect_share(comes_last(sim::repeat("write y 1", 4)), kRuns, 1.0 / 7);
  expect_share(comes_last(sim::repeat("write y 1", 1)), kRuns, 1.0 / 4);
}

TEST(Pos, DrawsAnewAmongOperationsThatRace) {
  // Below the two of the start and the first write; from then on both are drawn anew, three times.
  expect_share(comes_last(sim::repeat("write x 2", 4)), kRuns, 1.0 / 4 / 8);
}

TEST(Pos, DrawsAnewWhatRacesWithTheOneThatGoesFirst) {
  using wire::Operation;
  const auto drawn_anew = [](Operation goes, Operation stays, bool same_object) {
    int anew = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      TwoThreads run(pos(seed));
      run.threads_[0].pending = {.kind = goes, .object = &anew};
      run.threads_[1].pending = {.kind = stays, .object = same_object ? &anew : &anew + 1};
      run.threads_[1].rule.priority = 1;  // lower than whatever the first draws
      EXPECT_EQ(run.next(0, 1), 0u);
      anew += run.threads_[1].rule.priority != 1;
    }
    return anew;
  };

  EXPECT_EQ(drawn_anew(Operation::kStore, Operation::kStore, true), 10);
  EXPECT_EQ(drawn_anew(Operation::kStore, Operation::kLoad, true), 10);
  EXPECT_EQ(drawn_anew(Operation::kLoad, Operation::kStore, true), 10);
  EXPECT_EQ(drawn_anew(Operation::kAtomicLoad, Operation::kAtomicUpdate, true), 10);
  EXPECT_EQ(drawn_anew(Operation::kLoad, Operation::kLoad, true), 0);
  EXPECT_EQ(drawn_anew(Operation::kLoad, Operation::kAtomicLoad, true), 0);
  EXPECT_EQ(drawn_anew(Operation::kStore, Operation::kStore, false), 0);
}

TEST(Pos, KeepsTheThreadsPriorityAtAPointThatActsOnNothing) {
  TwoThreads run(pos(1));
  const std::uint64_t drawn = run.threads_[0].rule.priority;

  run.next(0, 1);
  EXPECT_EQ(run.threads_[0].rule.priority, drawn);
  run.threads_[0].pending = {.kind = wire::Operation::kStore, .object = &run};
  run.next(0, 2);
  EXPECT_NE(run.threads_[0].rule.priority, drawn);
}

TEST(Pos, MakesEitherOfTwoRacingWritesTheFirst) {
  // The one that has the turn at the start is a third: all that differs between the two is luck.
  const SimProgram program{
      .threads = {{"idle", {"step"}}, {"a", {"store x 1"}}, {"b", {"store x 2"}}}};
  int first = 0;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    first += sim::run(program, pos(seed), {.points = wire::PointSet::kMemory}).value("x") == 2;
  }
  expect_share(first, kRuns, 0.5);
}

// --- Starvation ---

Rule starving(std::uint32_t share, std::uint64_t seed) {
  return {.kind = RuleKind::kPriority, .redraws = 1, .seed = seed, .starving = share};
}

TEST(Starving, IsWhoWasDrawn) {
  int starved = 0;
  for (std::uint64_t seed = 0; seed < kRuns / 2; ++seed) {
    const TwoThreads none(starving(0, seed));
    EXPECT_FALSE(none.threads_[0].rule.starved || none.threads_[1].rule.starved);
    const TwoThreads all(starving(wire::kCertain, seed));
    EXPECT_TRUE(all.threads_[0].rule.starved && all.threads_[1].rule.starved);
    const TwoThreads some(starving(wire::kCertain / 8, seed));
    starved += some.threads_[0].rule.starved + some.threads_[1].rule.starved;
  }
  expect_share(starved, kRuns, 1.0 / 8);
}

/// One of two threads starves: which.
std::uint32_t find_starving(Rule& rule) {
  for (;; ++rule.seed) {
    const TwoThreads run(rule);
    if (run.threads_[0].rule.starved != run.threads_[1].rule.starved)
      return run.threads_[1].rule.starved;
  }
}

TEST(Starving, RunsOnlyWhenNoOtherCan) {
  Rule rule = starving(wire::kCertain / 2, 0);
  for (int i = 0; i < 20; ++i, ++rule.seed) {
    const std::uint32_t starved = find_starving(rule);
    TwoThreads run(rule);
    Op access{.kind = wire::Operation::kStore, .object = &run};
    run.threads_[0].pending = run.threads_[1].pending = access;

    for (std::uint64_t step = 1; step < 100; ++step) {
      EXPECT_EQ(run.next(step % 2, step), 1 - starved) << "drawn anew or not";
    }
    run.runnable_.remove(1 - starved);
    EXPECT_EQ(run.next(starved, 100), starved);
    run.runnable_.add(1 - starved);
    EXPECT_EQ(run.next(starved, 101), 1 - starved);
  }
}

TEST(Starving, RunsAheadOfAThreadThatYields) {
  Rule rule = starving(wire::kCertain / 2, 0);
  const std::uint32_t starved = find_starving(rule);
  TwoThreads run(rule);

  EXPECT_EQ(run.next(1 - starved, 1, Leave::kYields), starved);
}

// --- Loops that wait for another thread ---

/// A thread that repeats `round` until it sees what the other one stores, under a rule that lets it
/// run on if it may: how many rounds it made.
std::int64_t rounds_of(const sim::Steps& round, const Rule& rule,
                       wire::PointSet points = wire::PointSet::kMemory) {
  // Hooks are looked at from a thread's first operation on.
  sim::Steps loop = {"step", "while flag == 0", "rounds = rounds + 1"};
  loop = sim::in_order(loop, round);
  // An end to it, in case nobody hands over.
  loop = sim::in_order(loop, {"if rounds > 2000", "flag = 1", "end", "end"});
  const SimProgram program{.threads = {{"waits", loop}, {"sets", {"store flag 1"}}},
                           .start = {{"flag", 0}, {"rounds", 0}}};
  return sim::run(program, rule, {.points = points}).value("rounds");
}

TEST(GoingRound, HandsOverUnderPos) {
  // The first look is new, and twelve more are a loop. POS may hand over earlier by itself.
  std::int64_t most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    most = std::max(most, rounds_of({"load flag"}, pos(seed)));
  }
  EXPECT_LE(most, 13);
  EXPECT_GE(most, 10) << "no seed of 200 had a reason to hand over";
}

TEST(GoingRound, IsSeenOverSeveralVariables) {
  std::int64_t most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    most = std::max(most, rounds_of({"load a", "load b", "load flag"}, pos(seed)));
  }
  EXPECT_LE(most, 6);
}

TEST(GoingRound, IsNotSeenUnderARuleThatLooksAtFewPoints) {
  EXPECT_GT(rounds_of({"load flag"}, {.kind = RuleKind::kStay}), 2'000);
}

TEST(GoingRound, IsNotALoopThatStores) {
  // Starved from the start, the other one goes on only when it is handed the turn.
  Rule rule = starving(wire::kCertain / 2, 0);
  while (rounds_of({"load flag", "store own 1"}, rule) <= 2'000) {
    ASSERT_LT(++rule.seed, 100u) << "a loop that stores was taken for one that waits";
  }
  EXPECT_LE(rounds_of({"load flag"}, rule), 13) << "under the same seed";
}

}  // namespace
}  // namespace unravel
