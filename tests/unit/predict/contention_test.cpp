/// Which sites of synchronisation contend for an object, and pairs of sites in general.
#include "predict/contention.hpp"

#include <gtest/gtest.h>

#include "predict/conflicts.hpp"
#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

using enum Operation;
using Pairs = std::vector<MetPair>;

TraceBuilder begun(std::uint32_t threads = 2) {
  TraceBuilder trace;
  trace.create_up_to(threads);
  return trace;
}

void at(TraceBuilder& trace, std::uint32_t thread, Operation operation, std::uint64_t object,
        std::uint32_t site) {
  trace.add(thread, operation, object).site = site;
}

Pairs contention_of(const TraceBuilder& trace) {
  ContentionFinder finder;
  finder.take(trace.events);
  return finder.pairs();
}

/// What two threads come to that make these, one after the other.
Pairs between(Operation first, Operation second, std::uint64_t other_object = kMutex) {
  TraceBuilder trace = begun();
  at(trace, 1, first, kMutex, 1);
  at(trace, 2, second, other_object, 2);
  return contention_of(trace);
}

const Pairs kOneThenTwo = {{1, 2, false}};

TEST(Contention, IsOfThreadsThatTakeALockInTheOrderInWhichTheyTookIt) {
  EXPECT_EQ(between(kLock, kLock), kOneThenTwo);
  EXPECT_EQ(between(kLock, kTryLock), kOneThenTwo);
  EXPECT_EQ(between(kWriteLock, kReadLock), kOneThenTwo);
  EXPECT_EQ(between(kTryReadLock, kWriteLock), kOneThenTwo);
  EXPECT_EQ(between(kLock, kLock, kOther), Pairs{}) << "another lock";
}

TEST(Contention, IsNotOfThoseWhoseOrderDoesNotMatter) {
  EXPECT_EQ(between(kReadLock, kReadLock), Pairs{});
  EXPECT_EQ(between(kReadLock, kTryReadLock), Pairs{});
  EXPECT_EQ(between(kSemPost, kSemPost), Pairs{}) << "the count is the same in either order";
  EXPECT_EQ(between(kAtomicLoad, kAtomicLoad), Pairs{});
  EXPECT_EQ(between(kAtomicLoad, kAtomicStore), kOneThenTwo);
  EXPECT_EQ(between(kAtomicUpdate, kAtomicLoad), kOneThenTwo);
  EXPECT_EQ(between(kAtomicUpdate, kAtomicUpdate), kOneThenTwo);
}

TEST(Contention, IsOfAWaitAndWhatEndsIt) {
  EXPECT_EQ(between(kSignal, kWait), kOneThenTwo);
  EXPECT_EQ(between(kWait, kBroadcast), kOneThenTwo);
  EXPECT_EQ(between(kSemPost, kSemWait), kOneThenTwo);
  EXPECT_EQ(between(kFutexWait, kFutexWake), kOneThenTwo);
  EXPECT_EQ(between(kBarrierWait, kBarrierWait), kOneThenTwo);
}

TEST(Contention, IsNotOfWhatFollowsFromThoseWhoTake) {
  EXPECT_EQ(between(kLock, kUnlock), Pairs{});
  EXPECT_EQ(between(kUnlock, kLock), Pairs{});
  EXPECT_EQ(between(kStore, kStore), Pairs{}) << "that is a conflict";
  EXPECT_EQ(between(kYield, kYield), Pairs{});
}

TEST(Contention, IsNotWithinAThread) {
  TraceBuilder trace = begun();
  at(trace, 1, kLock, kMutex, 1);
  at(trace, 1, kLock, kMutex, 2);
  EXPECT_EQ(contention_of(trace), Pairs{});
}

TEST(Contention, IsNotOrderedByWhatThisRunHappenedToDo) {
  TraceBuilder trace = begun();
  at(trace, 1, kLock, kOther, 3);
  at(trace, 1, kLock, kMutex, 1);
  at(trace, 1, kUnlock, kMutex, 0);
  at(trace, 1, kUnlock, kOther, 0);
  at(trace, 2, kLock, kOther, 4);
  at(trace, 2, kLock, kMutex, 2);
  EXPECT_EQ(contention_of(trace), (Pairs{{3, 4, false}, {1, 2, false}}));
}

TEST(Contention, IsNotOfThreadsOfWhichOneBeganAfterTheOtherEnded) {
  TraceBuilder trace;
  at(trace, 0, kLock, kMutex, 1);
  trace.add(0, kCreate, 1);
  trace.add(1, kStart);
  at(trace, 1, kLock, kMutex, 2);
  EXPECT_EQ(contention_of(trace), Pairs{}) << "before the creation";

  trace.add(1, kExit);
  trace.add(0, kJoin, 1);
  at(trace, 0, kLock, kMutex, 3);
  EXPECT_EQ(contention_of(trace), Pairs{}) << "after the join";

  TraceBuilder failed = begun(1);
  at(failed, 1, kLock, kMutex, 2);
  failed.add(0, kTryJoin, 1).result = EventResult::kFailed;
  at(failed, 0, kLock, kMutex, 3);
  EXPECT_EQ(contention_of(failed), (Pairs{{2, 3, false}})) << "it had not ended";
}

TEST(Contention, TellsWhetherBothOrdersWereMet) {
  TraceBuilder trace = begun();
  at(trace, 1, kLock, kMutex, 1);
  at(trace, 2, kLock, kMutex, 2);
  EXPECT_EQ(contention_of(trace), kOneThenTwo);
  at(trace, 1, kLock, kMutex, 1);
  EXPECT_EQ(contention_of(trace), (Pairs{{1, 2, true}}));
}

TEST(Contention, IsOfASiteWithItselfInTwoThreads) {
  TraceBuilder trace = begun();
  at(trace, 1, kLock, kMutex, 7);
  at(trace, 2, kLock, kMutex, 7);
  at(trace, 1, kLock, kMutex, 7);
  EXPECT_EQ(contention_of(trace), (Pairs{{7, 7, false}}));
}

TEST(Contention, ForgetsTheOldestOfAnObjectWithManySites) {
  TraceBuilder trace = begun();
  for (std::uint32_t site = 1; site <= 65; ++site) at(trace, 1, kLock, kMutex, site);
  at(trace, 2, kLock, kMutex, 100);

  const Pairs found = contention_of(trace);
  EXPECT_EQ(found.size(), 64u);
  EXPECT_EQ(found.front(), (MetPair{2, 100, false})) << "the first is forgotten";
}

// --- Pairs of sites ---

TEST(SitePairs, AreKeptOnceInTheOrderInWhichTheyCame) {
  SitePairs pairs;
  pairs.add(3, 1, 0);
  pairs.add(1, 2, 0);
  pairs.add(3, 1, 0);
  EXPECT_EQ(pairs.list(), (Pairs{{3, 1, false}, {1, 2, false}}));
  pairs.add(1, 3, 0);
  EXPECT_EQ(pairs.list(), (Pairs{{3, 1, true}, {1, 2, false}}));
}

TEST(SitePairs, AreNoMoreThanCanBeTried) {
  SitePairs pairs;
  for (std::uint32_t site = 1; site <= SitePairs::kMost + 10; ++site) pairs.add(0, site, 0);
  EXPECT_EQ(pairs.list().size(), SitePairs::kMost);
  pairs.add(5, 0, 0);
  EXPECT_TRUE(pairs.list()[4].both) << "those that are kept go on to be told";
}

TEST(SitePairs, OfConflictsHaveTheOrderOfTheRun) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 5);
  trace.load(2, kX, 4);
  trace.store(2, kY, 6);
  ConflictFinder finder;
  finder.take(trace.events);
  EXPECT_EQ(finder.pairs(), (Pairs{{5, 4, false}}));

  // The same code, on another variable.
  constexpr std::uint64_t kZ = 0x1200;
  trace.load(2, kZ, 4);
  trace.store(1, kZ, 5);
  ConflictFinder both;
  both.take(trace.events);
  EXPECT_EQ(both.pairs(), (Pairs{{5, 4, true}}));
}

}  // namespace
}  // namespace unravel
