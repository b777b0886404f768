/// Which sites may be in conflict with another in some run.
#include "predict/conflicts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

using enum Operation;
using Sites = std::vector<std::uint32_t>;

TraceBuilder begun(std::uint32_t threads = 2) {
  TraceBuilder trace;
  trace.create_up_to(threads);
  return trace;
}

Sites conflicts_of(const TraceBuilder& trace) {
  ConflictFinder finder;
  finder.take(trace.events);
  return finder.sites();
}

void under(TraceBuilder& trace, std::uint32_t thread, std::uint64_t mutex, std::uint32_t site) {
  trace.add(thread, kLock, mutex);
  trace.store(thread, kX, site);
  trace.add(thread, kUnlock, mutex);
}

TEST(Conflicts, AreAccessesThatOnlyThisRunOrders) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.atomic(1, kAtomicStore, kFlag, MemoryOrder::kRelease, 3);
  trace.atomic(2, kAtomicLoad, kFlag, MemoryOrder::kAcquire, 4);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kNoRace);
  EXPECT_EQ(conflicts_of(trace), (Sites{1, 2}));
}

TEST(Conflicts, AreNotAccessesUnderACommonLock) {
  TraceBuilder trace = begun();
  under(trace, 1, kMutex, 1);
  under(trace, 2, kMutex, 2);

  EXPECT_EQ(conflicts_of(trace), Sites{});
}

TEST(Conflicts, AreAccessesUnderDifferentLocks) {
  TraceBuilder trace = begun();
  under(trace, 1, kMutex, 1);
  under(trace, 2, kOther, 2);

  EXPECT_EQ(conflicts_of(trace), (Sites{1, 2}));
}

TEST(Conflicts, AreToldByTheLocksOfEachAccessNotOfTheVariable) {
  TraceBuilder trace = begun(3);
  under(trace, 1, kMutex, 1);
  under(trace, 1, kOther, 3);
  trace.add(2, kLock, kMutex);
  under(trace, 2, kOther, 2);  // under both
  trace.add(2, kUnlock, kMutex);
  under(trace, 3, kMutex, 4);

  EXPECT_EQ(conflicts_of(trace), (Sites{3, 4}));
}

TEST(Conflicts, AreAccessesOfReadersOfALock) {
  TraceBuilder trace = begun(3);
  trace.add(1, kReadLock, kMutex);
  trace.store(1, kX, 1);
  trace.add(1, kReadWriteUnlock, kMutex);
  trace.add(2, kReadLock, kMutex);
  trace.store(2, kX, 2);
  trace.add(2, kReadWriteUnlock, kMutex);
  trace.add(3, kWriteLock, kMutex);
  trace.store(3, kX, 3);

  EXPECT_EQ(conflicts_of(trace), (Sites{1, 2}));
}

TEST(Conflicts, AreAccessesAfterAnUnlock) {
  TraceBuilder trace = begun();
  under(trace, 1, kMutex, 1);
  trace.store(1, kX, 3);
  under(trace, 2, kMutex, 2);

  EXPECT_EQ(conflicts_of(trace), (Sites{2, 3}));
}

TEST(Conflicts, AreAccessesUnderALockThatAWaitGaveUp) {
  TraceBuilder trace = begun();
  trace.add(1, kLock, kMutex);
  trace.add(1, kGiveUp, kMutex);
  trace.add(1, kWait, kOther);
  trace.add(1, kHandle, 10);
  trace.store(1, kX, 1);  // in a signal handler
  under(trace, 2, kMutex, 2);
  trace.add(1, kLock, kMutex);
  trace.store(1, kX, 3);

  EXPECT_EQ(conflicts_of(trace), (Sites{1, 2}));
}

TEST(Conflicts, AreNotAccessesOrderedByCreationOrJoin) {
  TraceBuilder trace;
  trace.store(0, kX, 1);
  trace.add(0, kCreate, 1);
  trace.store(1, kX, 2);
  trace.add(1, kExit);
  trace.add(0, kJoin, 1);
  trace.store(0, kX, 3);

  EXPECT_EQ(conflicts_of(trace), Sites{});
}

TEST(Conflicts, DoNotReachAcrossAnAllocation) {
  TraceBuilder trace = begun();
  trace.memory(0, kAllocate, kX, 8);
  under(trace, 1, kMutex, 1);
  trace.memory(1, kFree, kX, 0, 3);
  trace.memory(2, kAllocate, kX, 8);
  trace.store(2, kX, 2);

  EXPECT_EQ(conflicts_of(trace), Sites{});
}

TEST(Conflicts, AreAlsoMadeByAFree) {
  TraceBuilder trace = begun();
  trace.memory(0, kAllocate, kX, 8);
  trace.load(1, kX, 1);
  trace.memory(2, kFree, kX, 0, 2);

  EXPECT_EQ(conflicts_of(trace), (Sites{1, 2}));
}

TEST(Conflicts, AreNotKeptApartByALockThatIsMadeAnew) {
  TraceBuilder trace = begun();
  under(trace, 1, kMutex, 1);
  trace.add(0, kInit, kMutex);
  under(trace, 2, kMutex, 2);

  EXPECT_EQ(conflicts_of(trace), (Sites{1, 2}));
}

TEST(Conflicts, OfAVariableUnderMoreSetsOfLocksThanAreKeptNeedALockInAllOfThem) {
  // One site under 300 sets, of which all contain the mutex.
  TraceBuilder trace = begun();
  trace.add(1, kLock, kMutex);
  for (std::uint64_t i = 0; i < 300; ++i) under(trace, 1, kOther + 64 * i, 1);
  trace.add(1, kUnlock, kMutex);
  under(trace, 2, kMutex, 2);
  EXPECT_EQ(conflicts_of(trace), Sites{});

  under(trace, 2, kOther, 3);
  EXPECT_EQ(conflicts_of(trace), (Sites{1, 3}));
}

TEST(Conflicts, OfAVariableWithTooManySitesAreAllStillFound) {
  TraceBuilder trace = begun();
  Sites all;
  for (std::uint32_t site = 1; site <= 300; ++site) {
    trace.load(1, kX, site);
    all.push_back(site);
  }
  EXPECT_EQ(conflicts_of(trace), Sites{}) << "one thread has no conflicts";

  trace.store(2, kX, 301);
  all.push_back(301);
  EXPECT_EQ(conflicts_of(trace), all);
}

TEST(Conflicts, OfAVariableWithTooManySitesAreKeptApartByLocksAndJoins) {
  TraceBuilder trace = begun();
  for (std::uint32_t site = 1; site <= 300; ++site) under(trace, 1, kMutex, site);
  under(trace, 2, kMutex, 301);
  trace.add(1, kExit);
  trace.add(2, kExit);
  trace.add(0, kJoin, 1);
  trace.add(0, kJoin, 2);
  trace.store(0, kX, 302);

  EXPECT_EQ(conflicts_of(trace), Sites{});
}

TEST(Conflicts, OfAFreedVariableWithTooManySitesAreForgotten) {
  TraceBuilder trace = begun();
  trace.memory(0, kAllocate, kX, 16);
  for (std::uint32_t site = 1; site <= 300; ++site) trace.load(1, kX, site);
  trace.memory(1, kFree, kX, 0, 302);
  trace.memory(2, kAllocate, kX, 16);
  trace.store(2, kX, 301);
  EXPECT_EQ(conflicts_of(trace), Sites{});

  trace.load(1, kX, 303);
  EXPECT_EQ(conflicts_of(trace), (Sites{301, 303}));
}

TEST(Conflicts, OfAFreeReachAVariableWithTooManySites) {
  TraceBuilder trace = begun();
  trace.memory(0, kAllocate, kX, 16);
  for (std::uint32_t site = 1; site <= 300; ++site) trace.load(1, kX, site);
  trace.memory(2, kFree, kX, 0, 301);

  EXPECT_EQ(conflicts_of(trace).size(), 301u);
}

}  // namespace
}  // namespace unravel
