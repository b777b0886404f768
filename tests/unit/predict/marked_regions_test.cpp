/// Regions that the user marks, in the program or by the names of functions. Sites tell events
/// apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "predict/candidates.hpp"
#include "predict/history_builder.hpp"
#include "unit/predict/trace_builder.hpp"

namespace unravel {
namespace {

using enum wire::Operation;

constexpr std::uint64_t kVarX = 0x1000;
constexpr std::uint64_t kVarY = 0x1008;
constexpr std::uint64_t kOwnVar = 0x1010;
constexpr std::uint64_t kLockM = 0x3000;
constexpr std::uint64_t kLockN = 0x3040;
constexpr std::uint64_t kThing = 0x3100;

// Sites of functions.
constexpr std::uint32_t kAtomicFunction = 60;
constexpr std::uint32_t kOtherAtomicFunction = 61;
constexpr std::uint32_t kPlainFunction = 62;

bool is_atomic(std::uint32_t site) {
  return site == kAtomicFunction || site == kOtherAtomicFunction;
}

History history_of(TraceBuilder& trace, const HistoryBuilder::IsAtomic& function = is_atomic) {
  set_clocks(trace.events);
  SharedMemory shared;
  shared.take(trace.events);
  HistoryBuilder builder(shared, HistoryBuilder::kMostEvents, function);
  builder.take(trace.events);
  return builder.finish(std::vector<wire::Site>(64));
}

void sync(TraceBuilder& trace, std::uint32_t thread, Operation operation, std::uint64_t object,
          std::uint32_t site) {
  trace.add(thread, operation, object).site = site;
}

void begin(TraceBuilder& trace, std::uint32_t site = 0) { sync(trace, 1, kAtomicBegin, 0, site); }
void end(TraceBuilder& trace, std::uint32_t site = 0) { sync(trace, 1, kAtomicEnd, 0, site); }

void enter(TraceBuilder& trace, std::uint64_t stack, std::uint32_t site) {
  sync(trace, 1, kFunctionEntry, stack, site);
}
void leave(TraceBuilder& trace, std::uint64_t stack, std::uint32_t site) {
  sync(trace, 1, kFunctionExit, stack, site);
}

/// Thread 2 touches x, so that what thread 1 does with it is kept.
TraceBuilder with_another_thread() {
  TraceBuilder trace;
  trace.store(2, kVarX, 50);
  return trace;
}

/// The regions of a kind as sets of sites, in order.
using SiteSets = std::vector<std::set<std::uint32_t>>;

SiteSets regions_of(const History& history, RegionKind kind = RegionKind::kMarked) {
  SiteSets sets;
  std::optional<std::uint32_t> last;
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    const auto region = history.region_of(i, kind);
    if (!region) continue;
    if (region != last) sets.emplace_back();
    last = region;
    sets.back().insert(history.events[i].site);
  }
  return sets;
}

TEST(MarkedRegions, BeginAndEndWithTheOutermostMark) {
  TraceBuilder trace = with_another_thread();
  trace.store(1, kVarX, 1);
  begin(trace);
  trace.store(1, kVarX, 2);
  begin(trace);
  trace.store(1, kVarX, 3);
  end(trace);
  trace.store(1, kVarX, 4);
  end(trace);
  trace.store(1, kVarX, 5);
  begin(trace);
  trace.store(1, kVarX, 6);
  end(trace);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), (SiteSets{{2, 3, 4}, {6}}));
  EXPECT_EQ(regions_of(history, RegionKind::kSection), SiteSets{});
  EXPECT_TRUE(history.stray_begins.empty());
  EXPECT_TRUE(history.stray_ends.empty());
}

TEST(MarkedRegions, AreOfTheirThreadAlone) {
  TraceBuilder trace = with_another_thread();
  begin(trace);
  trace.store(1, kVarX, 1);
  trace.store(2, kVarX, 2);
  trace.store(1, kVarX, 3);
  end(trace);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1, 3}}));
}

TEST(MarkedRegions, AreNotEndedByWhatOrdersThreads) {
  for (const Operation between : {kCreate, kJoin, kSignal, kBroadcast, kWait, kFutexWake}) {
    TraceBuilder trace = with_another_thread();
    begin(trace);
    trace.store(1, kVarX, 1);
    sync(trace, 1, between, wire::acts_on_number(between) ? 3 : kThing, 2);
    trace.store(1, kVarX, 3);
    end(trace);

    EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1, 2, 3}})) << wire::traits(between).name;
  }
}

TEST(MarkedRegions, SpanSeveralCriticalSections) {
  TraceBuilder trace = with_another_thread();
  begin(trace);
  sync(trace, 1, kLock, kLockM, 1);
  trace.store(1, kVarX, 2);
  sync(trace, 1, kUnlock, kLockM, 3);
  sync(trace, 1, kLock, kLockM, 4);
  trace.store(1, kVarX, 5);
  sync(trace, 1, kUnlock, kLockM, 6);
  end(trace);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), (SiteSets{{1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(regions_of(history, RegionKind::kSection), (SiteSets{{1, 2, 3}, {4, 5, 6}}));
}

TEST(MarkedRegions, DoNotExtendACriticalSectionThatTheyOverlap) {
  TraceBuilder trace = with_another_thread();
  sync(trace, 1, kLock, kLockM, 1);
  trace.store(1, kVarX, 2);
  begin(trace);
  trace.store(1, kVarX, 3);
  sync(trace, 1, kUnlock, kLockM, 4);
  trace.store(1, kVarX, 5);
  end(trace);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), (SiteSets{{3, 4, 5}}));
  EXPECT_EQ(regions_of(history, RegionKind::kSection), (SiteSets{{1, 2, 3, 4}}));
}

TEST(MarkedRegions, KeepTheirEventsWhenOthersAreDropped) {
  TraceBuilder trace = with_another_thread();
  trace.store(1, kOwnVar, 1);
  begin(trace);
  trace.store(1, kOwnVar, 2);
  trace.store(1, kVarX, 3);
  for (int i = 0; i < 10; ++i) trace.load(1, kVarX, 4);
  trace.store(1, kOwnVar, 5);
  end(trace);
  trace.store(1, kVarX, 6);
  begin(trace);
  trace.store(1, kOwnVar, 7);
  end(trace);
  trace.store(1, kVarX, 8);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{3, 4}}));
}

TEST(MarkedRegions, WithoutEventsAreNone) {
  TraceBuilder trace = with_another_thread();
  trace.store(1, kVarX, 1);
  begin(trace);
  trace.store(2, kVarX, 2);
  end(trace);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), SiteSets{});
  EXPECT_FALSE(history.has_regions(RegionKind::kMarked));
}

TEST(MarkedRegions, ThatHaveNotBegunDoNotEnd) {
  TraceBuilder trace = with_another_thread();
  for (int i = 0; i < 3; ++i) end(trace, 40);
  trace.store(1, kVarX, 1);
  begin(trace);
  trace.store(1, kVarX, 2);
  end(trace);
  trace.store(1, kVarX, 3);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), (SiteSets{{2}}));
  EXPECT_EQ(history.stray_ends, (std::vector<StrayMark>{{.thread = 1, .site = 40}}));
}

TEST(MarkedRegions, ThatAreNotEndedLastToTheEndOfTheThread) {
  TraceBuilder trace = with_another_thread();
  begin(trace, 40);
  begin(trace, 41);
  trace.store(1, kVarX, 1);
  end(trace);
  trace.store(1, kVarX, 2);
  sync(trace, 1, kExit, 1, 3);
  trace.store(2, kVarX, 51);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), (SiteSets{{1, 2, 3}}));
  EXPECT_EQ(history.stray_begins, (std::vector<StrayMark>{{.thread = 1, .site = 40}}));
}

TEST(MarkedRegions, OfARunThatWasCutEndWithIt) {
  TraceBuilder trace = with_another_thread();
  begin(trace);
  trace.store(1, kVarX, 1);
  trace.store(1, kVarX, 2);
  const History history = history_of(trace);

  EXPECT_EQ(regions_of(history), (SiteSets{{1, 2}}));
  EXPECT_TRUE(history.stray_begins.empty());
}

// --- Functions -----------------------------------------------------------------------------------

TEST(AtomicFunctionRegions, LastFromEntryToExit) {
  TraceBuilder trace = with_another_thread();
  enter(trace, 900, kPlainFunction);
  trace.store(1, kVarX, 1);
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 2);
  enter(trace, 700, kPlainFunction);
  trace.store(1, kVarX, 3);
  leave(trace, 700, kPlainFunction);
  trace.store(1, kVarX, 4);
  leave(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 5);
  leave(trace, 900, kPlainFunction);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{2, 3, 4}}));
}

TEST(AtomicFunctionRegions, AreNoneIfNoFunctionIsNamed) {
  TraceBuilder trace = with_another_thread();
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 1);
  leave(trace, 800, kAtomicFunction);

  EXPECT_EQ(regions_of(history_of(trace, {})), SiteSets{});
}

TEST(AtomicFunctionRegions, AreThoseOfTheOutermostFunction) {
  TraceBuilder trace = with_another_thread();
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 1);
  enter(trace, 700, kAtomicFunction);
  enter(trace, 600, kOtherAtomicFunction);
  leave(trace, 600, kOtherAtomicFunction);
  leave(trace, 700, kAtomicFunction);
  trace.store(1, kVarX, 2);
  leave(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 3);
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 4);
  leave(trace, 800, kAtomicFunction);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1, 2}, {4}}));
}

TEST(AtomicFunctionRegions, EndWithTheirFrameIfTheExitIsSkipped) {
  TraceBuilder trace = with_another_thread();
  enter(trace, 900, kPlainFunction);
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 1);
  // Its caller calls another function.
  enter(trace, 850, kPlainFunction);
  trace.store(1, kVarX, 2);
  leave(trace, 850, kPlainFunction);
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 3);
  // The same place of the stack: the frame before is gone.
  enter(trace, 800, kOtherAtomicFunction);
  trace.store(1, kVarX, 4);
  // Its caller ends.
  leave(trace, 900, kPlainFunction);
  trace.store(1, kVarX, 5);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1}, {3}, {4}}));
}

TEST(AtomicFunctionRegions, EndWithAJumpToAnOuterFrame) {
  TraceBuilder trace = with_another_thread();
  enter(trace, 900, kAtomicFunction);
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 1);
  leave(trace, 900, 0);
  trace.store(1, kVarX, 2);
  leave(trace, 950, 0);
  trace.store(1, kVarX, 3);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1, 2}}));
}

TEST(AtomicFunctionRegions, EndAlsoIfTheStackPointerHasMoved) {
  TraceBuilder trace = with_another_thread();
  enter(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 1);
  leave(trace, 600, kAtomicFunction);
  trace.store(1, kVarX, 2);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1}}));
}

TEST(AtomicFunctionRegions, ThatWereEnteredBeforeTheTraceEndNothing) {
  TraceBuilder trace = with_another_thread();
  begin(trace);
  trace.store(1, kVarX, 1);
  leave(trace, 800, kAtomicFunction);
  trace.store(1, kVarX, 2);
  end(trace);

  EXPECT_EQ(regions_of(history_of(trace)), (SiteSets{{1, 2}}));
}

// --- Candidates ----------------------------------------------------------------------------------

struct Found {
  std::string pattern;
  std::vector<std::uint32_t> sites;
  bool is_marked;

  friend bool operator==(const Found&, const Found&) = default;
};

void PrintTo(const Found& one, std::ostream* out) {
  *out << one.pattern << (one.is_marked ? " marked" : "");
  for (const std::uint32_t site : one.sites) *out << " " << site;
}

std::vector<Found> anomalies_of(TraceBuilder& trace, AnomalyKind kind) {
  const History history = history_of(trace);
  const std::vector<Pattern> patterns = conflict_cycles();
  std::vector<Found> found;
  for (const Candidate& one : find_patterns(history, patterns, {})) {
    if (one.kind != kind) continue;
    Found& added = found.emplace_back(Found{patterns[one.pattern].name, {}, one.is_marked});
    for (const EventIndex event : one.events()) added.sites.push_back(history.events[event].site);
  }
  return found;
}

TEST(CandidatesInMarkedRegions, NeedNotBeInARow) {
  const auto trace_of = [](bool is_marked) {
    TraceBuilder trace;
    trace.store(2, kVarX, 50);
    if (is_marked) begin(trace);
    trace.load(1, kVarX, 1);
    trace.load(1, kVarX, 2);
    trace.store(1, kVarX, 3);
    if (is_marked) end(trace);
    return trace;
  };
  TraceBuilder plain = trace_of(false);
  TraceBuilder marked = trace_of(true);

  const Found whole{"RWW", {1, 50, 3}, true};
  const auto in_plain = anomalies_of(plain, AnomalyKind::kAtomicity);
  const auto in_marked = anomalies_of(marked, AnomalyKind::kAtomicity);

  EXPECT_EQ(in_plain, (std::vector<Found>{{"RWW", {2, 50, 3}, false}, {"RWR", {1, 50, 2}, false}}));
  EXPECT_NE(std::find(in_marked.begin(), in_marked.end(), whole), in_marked.end());
  EXPECT_TRUE(std::all_of(in_marked.begin(), in_marked.end(),
                          [](const Found& one) { return one.is_marked; }));
}

TEST(CandidatesInMarkedRegions, AreOfTwoVariablesWithoutAnyLock) {
  const auto trace_of = [](bool is_marked) {
    TraceBuilder trace;
    for (const std::uint32_t thread : {1u, 2u}) {
      if (is_marked) trace.add(thread, kAtomicBegin);
      trace.store(thread, kVarX, 10 * thread);
      trace.store(thread, kVarY, 10 * thread + 1);
      if (is_marked) trace.add(thread, kAtomicEnd);
    }
    return trace;
  };
  TraceBuilder plain = trace_of(false);
  TraceBuilder marked = trace_of(true);

  EXPECT_EQ(anomalies_of(plain, AnomalyKind::kSet), std::vector<Found>{});
  const auto found = anomalies_of(marked, AnomalyKind::kSet);
  const Found between{"Wx-W'x-W'y-Wy", {10, 20, 21, 11}, true};
  EXPECT_NE(std::find(found.begin(), found.end(), between), found.end());
}

TEST(CandidatesInMarkedRegions, SpanCriticalSections) {
  const auto trace_of = [](bool is_marked) {
    TraceBuilder trace;
    for (const std::uint32_t thread : {1u, 2u}) {
      if (is_marked) trace.add(thread, kAtomicBegin);
      for (const std::uint32_t part : {0u, 1u}) {
        const std::uint64_t lock = part == 0 ? kLockM : kLockN;
        trace.add(thread, kLock, lock);
        trace.store(thread, part == 0 ? kVarX : kVarY, 10 * thread + part);
        trace.add(thread, kUnlock, lock);
      }
      if (is_marked) trace.add(thread, kAtomicEnd);
    }
    return trace;
  };
  TraceBuilder plain = trace_of(false);
  TraceBuilder marked = trace_of(true);

  EXPECT_EQ(anomalies_of(plain, AnomalyKind::kSet), std::vector<Found>{});
  const auto found = anomalies_of(marked, AnomalyKind::kSet);
  const Found between{"Wx-W'x-W'y-Wy", {10, 20, 21, 11}, true};
  EXPECT_NE(std::find(found.begin(), found.end(), between), found.end());
}

TEST(CandidatesInMarkedRegions, AreMarkedOnlyIfEachUnitIs) {
  TraceBuilder trace;
  for (const std::uint32_t thread : {1u, 2u}) {
    const bool is_marked = thread == 1;
    trace.add(thread, is_marked ? kAtomicBegin : kLock, is_marked ? 0 : kLockM);
    trace.store(thread, kVarX, 10 * thread);
    trace.store(thread, kVarY, 10 * thread + 1);
    trace.add(thread, is_marked ? kAtomicEnd : kUnlock, is_marked ? 0 : kLockM);
  }
  const auto found = anomalies_of(trace, AnomalyKind::kSet);

  EXPECT_FALSE(found.empty());
  EXPECT_TRUE(
      std::none_of(found.begin(), found.end(), [](const Found& one) { return one.is_marked; }));
}

TEST(CandidatesInMarkedRegions, AreKeptApartByALockAroundThem) {
  TraceBuilder trace;
  for (const std::uint32_t thread : {1u, 2u}) {
    trace.add(thread, kLock, kLockM);
    trace.add(thread, kAtomicBegin);
    trace.load(thread, kVarX, 10 * thread);
    trace.store(thread, kVarX, 10 * thread + 1);
    trace.add(thread, kAtomicEnd);
    trace.add(thread, kUnlock, kLockM);
  }

  EXPECT_EQ(anomalies_of(trace, AnomalyKind::kAtomicity), std::vector<Found>{});
}

}  // namespace
}  // namespace unravel
