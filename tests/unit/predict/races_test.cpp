/// Which accesses are a race if nothing orders them, and what is told of one.
#include <gtest/gtest.h>

#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

using enum Operation;
using enum MemoryOrder;

TraceBuilder begun(std::uint32_t threads = 2) {
  TraceBuilder trace;
  trace.create_up_to(threads);
  return trace;
}

TEST(Races, NeedAWrite) {
  TraceBuilder trace = begun(3);
  trace.load(1, kX, 1);
  trace.load(2, kX, 2);
  trace.store(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}, {2, 3}}));
}

TEST(Races, NeedAnAccessThatIsNotAtomic) {
  TraceBuilder trace = begun(3);
  trace.atomic(1, kAtomicStore, kX, kRelaxed, 1);
  trace.atomic(2, kAtomicUpdate, kX, kRelaxed, 2);
  trace.load(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}, {2, 3}}));
}

TEST(Races, TakeAnExchangeThatFailedForARead) {
  TraceBuilder trace = begun();
  trace.load(1, kX, 1);
  trace.atomic(2, kAtomicUpdate, kX, kRelaxed, 2).result = EventResult::kFailed;

  EXPECT_EQ(races_of(trace), kNoRace);
}

TEST(Races, NeedAByteInCommon) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1, 4);
  trace.store(2, kX + 4, 2, 4);
  trace.store(2, kX + 3, 3, 1);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}}));
}

TEST(Races, AreFoundWhereverAccessesOfDifferentSizesMeet) {
  for (std::uint64_t at = 0; at < 48; ++at) {
    TraceBuilder trace = begun();
    trace.store(1, kX + 5, 1, 30);
    trace.store(2, kX + at, 2, 3);

    const bool meet = at + 3 > 5 && at < 35;
    EXPECT_EQ(races_of(trace), meet ? kOneAndTwo : kNoRace) << at;
  }
}

TEST(Races, TellWhoWhereAndWhichEvents) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 7, 8);
  const std::size_t first = trace.events.size() - 1;
  trace.load(2, kX + 6, 9, 4);

  RaceDetector detector;
  detector.take(trace.events);

  ASSERT_EQ(detector.races().size(), 1u);
  const Race& race = detector.races()[0];
  EXPECT_EQ(race.earlier, (RacingAccess{first, 1, 7, AccessKind::kWrite}));
  EXPECT_EQ(race.later, (RacingAccess{first + 1, 2, 9, AccessKind::kRead}));
  EXPECT_EQ(race.address, kX + 6);
  EXPECT_EQ(race.count, 1u);
}

TEST(Races, AreOnePerPairOfSitesAndCounted) {
  TraceBuilder trace = begun();
  for (int i = 0; i < 3; ++i) {
    trace.store(1, kX, 1);
    trace.add(1, kUnlock, kMutex);  // another epoch
    trace.store(2, kX, 2);
    trace.add(2, kUnlock, kOther);
  }

  RaceDetector detector;
  detector.take(trace.events);

  ASSERT_EQ(detector.races().size(), 1u);
  EXPECT_EQ(detector.races()[0].count, 5u);
  EXPECT_EQ(detector.races()[0].earlier.thread, 1u);
}

TEST(Races, AreFoundWithAnEarlierSiteAfterALaterOneOfTheSameThread) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, kUnlock, kMutex);
  trace.load(1, kX, 3);
  trace.store(1, kX, 4);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 2}, {2, 3}, {2, 4}}));
}

TEST(Races, AreFoundWithASiteThatAnotherThreadWentThroughLater) {
  // TracedThread 1, then 3, ordered by the mutex, at one site; thread 2 is ordered after thread 1
  // only.
  TraceBuilder trace = begun(3);
  trace.store(1, kX, 1);
  trace.add(1, kUnlock, kMutex);
  trace.add(2, kLock, kMutex);
  trace.add(3, kLock, kMutex);
  trace.store(3, kX, 1);
  trace.store(2, kX, 2);

  RaceDetector detector;
  detector.take(trace.events);

  ASSERT_EQ(pairs_of(detector.races()), kOneAndTwo);
  EXPECT_EQ(detector.races()[0].earlier.thread, 3u);
}

TEST(Races, TakeAFreeForAWriteToWhatWasAccessed) {
  TraceBuilder trace = begun();
  trace.memory(0, kAllocated, kX, 24);
  trace.load(1, kX + 20, 1, 2);
  trace.memory(2, kFree, kX, 0, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Races, LeaveAloneWhatIsBesideAFreedBlock) {
  TraceBuilder trace = begun();
  trace.memory(0, kAllocated, kX, 20);
  trace.load(1, kX + 20, 1, 2);
  trace.memory(2, kFree, kX, 0, 2);
  trace.store(2, kX + 20, 3, 1);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}}));
}

TEST(Races, DoNotReachAcrossAnAllocation) {
  for (const Operation anew : {kAllocate, kAllocated, kFresh}) {
    TraceBuilder trace = begun();
    trace.store(1, kX, 1, 8);
    trace.memory(2, anew, kX, 8);
    trace.store(2, kX, 2, 8);

    EXPECT_EQ(races_of(trace), kNoRace);
  }
}

TEST(Races, ForgetOnlyTheBytesThatAreNew) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1, 8);
  trace.memory(2, kFresh, kX + 2, 4);
  trace.store(2, kX + 2, 2, 4);
  trace.store(2, kX + 6, 3, 1);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}}));
}

TEST(Races, ForgetAHugeMappingOfWhichLittleWasTouched) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.memory(2, kFresh, 0, std::uint64_t{1} << 46);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kNoRace);
}

TEST(Races, OfAVariableWithManyCellsAreAllFound) {
  // As many readers as are kept: each is a cell of its own.
  constexpr auto kReaders = static_cast<std::uint32_t>(kMostCells);
  TraceBuilder trace = begun(kReaders + 1);
  RacingSites expected;
  for (std::uint32_t reader = 1; reader <= kReaders; ++reader) {
    trace.load(reader, kX, reader);
    expected.insert({reader, 1000});
  }
  trace.store(kReaders + 1, kX, 1000);

  EXPECT_EQ(races_of(trace), expected);
}

TEST(Races, OfAVariableWithTooManyCellsAreThoseOfTheNewest) {
  constexpr std::uint32_t kSites = 500;
  TraceBuilder trace = begun();
  for (std::uint32_t site = 1; site <= kSites; ++site) trace.load(1, kX, site);
  trace.store(2, kX, 1000);

  const RacingSites found = races_of(trace);

  EXPECT_GE(found.size(), 32u);
  EXPECT_LE(found.size(), kMostCells);
  for (std::uint32_t back = 0; back < 32; ++back) {
    EXPECT_TRUE(found.contains({kSites - back, 1000})) << back;
  }
}

TEST(Races, WithWhatIsKnownToAllThreadsAreGivenUpFirst) {
  // 90 sites of thread 1 are ordered before everything; 90 more of thread 2 are not.
  TraceBuilder trace = begun(3);
  for (std::uint32_t site = 1; site <= 90; ++site) trace.load(1, kX, site);
  for (int i = 0; i < 5000; ++i) {  // until it is worked out anew what all know
    for (const std::uint32_t thread : {1u, 0u, 2u, 3u}) {
      trace.add(thread, kLock, kMutex);
      trace.add(thread, kUnlock, kMutex);
    }
  }
  RacingSites expected;
  for (std::uint32_t site = 101; site <= 190; ++site) {
    trace.load(2, kX, site);
    expected.insert({site, 1000});
  }
  trace.store(3, kX, 1000);

  EXPECT_EQ(races_of(trace), expected);
}

}  // namespace
}  // namespace unravel
