/// What orders two threads, and what does not: site 1 is an access of one, site 2 of another.
#include <gtest/gtest.h>

#include "unit/predict/race_check.hpp"

namespace unravel {
namespace {

/// Threads 1 to 3 exist; main does nothing more.
TraceBuilder begun() {
  TraceBuilder trace;
  trace.create_up_to(3);
  return trace;
}

/// TracedThread 1 stores to x, does `first`; thread 2 does `second`, stores to x.
RacingSites between(Operation first, std::uint64_t object, Operation second, std::uint64_t other,
                    EventResult result = EventResult::kDone) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, first, object);
  trace.add(2, second, other).result = result;
  trace.store(2, kX, 2);
  return races_of(trace);
}

TEST(Order, InTheTraceOrdersNothing) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, Operation::kYield);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, CreationLeadsToTheStart) {
  TraceBuilder trace;
  trace.store(0, kX, 1);
  trace.add(0, Operation::kCreate, 1);
  trace.store(0, kY, 3);
  trace.add(1, Operation::kStart);
  trace.store(1, kX, 2);
  trace.store(1, kY, 4);

  EXPECT_EQ(races_of(trace), (RacingSites{{3, 4}}));
}

TEST(Order, AJoinComesAfterEverythingOfTheThread) {
  for (const Operation join : {Operation::kJoin, Operation::kTryJoin}) {
    TraceBuilder trace = begun();
    trace.store(1, kX, 1);
    trace.add(1, Operation::kExit);
    trace.add(0, join, 1);
    trace.store(0, kX, 2);

    EXPECT_EQ(races_of(trace), kNoRace);
  }
}

TEST(Order, AJoinThatFailedIsNone) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(0, Operation::kTryJoin, 1).result = EventResult::kFailed;
  trace.store(0, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, AJoinOfAnotherThreadIsNone) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(3, Operation::kExit);
  trace.add(2, Operation::kJoin, 3);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, AnUnlockLeadsToTheNextLock) {
  using enum Operation;
  for (const auto& [unlock, lock] :
       std::vector<std::pair<Operation, Operation>>{{kUnlock, kLock},
                                                    {kUnlock, kTryLock},
                                                    {kSpinUnlock, kSpinLock},
                                                    {kSpinUnlock, kSpinTryLock},
                                                    {kStreamUnlock, kStreamLock},
                                                    {kStreamUnlock, kStreamTryLock},
                                                    {kPublish, kObserve}}) {
    EXPECT_EQ(between(unlock, kMutex, lock, kMutex), kNoRace) << wire::traits(lock).name;
    EXPECT_EQ(between(unlock, kMutex, lock, kOther), kOneAndTwo) << wire::traits(lock).name;
  }
}

TEST(Order, ALockThatFailedAcquiresNothing) {
  using enum Operation;
  for (const Operation lock : {kLock, kTryLock, kSpinTryLock, kStreamTryLock, kTryReadLock,
                               kTryWriteLock, kReadLock, kWriteLock}) {
    for (const EventResult result : {EventResult::kFailed, EventResult::kTimedOut}) {
      EXPECT_EQ(between(kUnlock, kMutex, lock, kMutex, result), kOneAndTwo)
          << wire::traits(lock).name;
    }
  }
}

TEST(Order, OnlyTheOutermostUnlockOfARecursiveLockReleases) {
  TraceBuilder trace = begun();
  trace.add(1, Operation::kLock, kMutex);
  trace.add(1, Operation::kLock, kMutex);
  trace.store(1, kX, 1);
  trace.add(1, Operation::kUnlock, kMutex);
  trace.add(2, Operation::kTryLock, kMutex);  // cannot be; shows that nothing was released
  trace.store(2, kX, 2);
  trace.add(1, Operation::kUnlock, kMutex);
  trace.add(3, Operation::kLock, kMutex);
  trace.load(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 2}, {2, 3}}));
}

TEST(Order, AWaitReleasesALockHoweverOftenItIsHeldAndTakesItAsOften) {
  TraceBuilder trace = begun();
  trace.add(1, Operation::kLock, kMutex);
  trace.add(1, Operation::kLock, kMutex);
  trace.store(1, kX, 1);
  trace.add(1, Operation::kGiveUp, kMutex);
  trace.add(1, Operation::kWait, kOther);
  trace.add(2, Operation::kLock, kMutex);
  trace.store(2, kX, 2);
  trace.add(2, Operation::kUnlock, kMutex);
  trace.add(1, Operation::kLock, kMutex);
  trace.store(1, kY, 4);
  trace.add(1, Operation::kUnlock, kMutex);  // still held once
  trace.add(3, Operation::kTryLock, kMutex);
  trace.store(3, kY, 5);

  EXPECT_EQ(races_of(trace), (RacingSites{{4, 5}}));
}

TEST(Order, ReadersComeAfterWritersAndWritersAfterAll) {
  using enum Operation;
  TraceBuilder trace = begun();
  trace.add(1, kWriteLock, kMutex);
  trace.store(1, kX, 1);
  trace.add(1, kReadWriteUnlock, kMutex);
  trace.add(2, kReadLock, kMutex);
  trace.load(2, kX, 2);
  trace.add(2, kReadWriteUnlock, kMutex);
  trace.add(3, kTryWriteLock, kMutex);
  trace.store(3, kX, 3);

  EXPECT_EQ(races_of(trace), kNoRace);
}

TEST(Order, ReadersOfALockAreNotOrderedAmongThemselves) {
  using enum Operation;
  TraceBuilder trace = begun();
  trace.add(1, kReadLock, kMutex);
  trace.store(1, kX, 1);
  trace.add(1, kReadWriteUnlock, kMutex);
  trace.add(2, kTryReadLock, kMutex);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, WhoIsWokenComesAfterItsWakerOnly) {
  TraceBuilder trace = begun();
  trace.add(1, Operation::kWait, kOther);
  trace.add(3, Operation::kWait, kOther);
  trace.store(2, kX, 2);
  trace.add(2, Operation::kWoke, kOther, 1);
  trace.store(2, kY, 4);
  trace.add(2, Operation::kSignal, kOther);
  trace.store(1, kX, 1);
  trace.store(1, kY, 5);
  trace.load(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{2, 3}, {1, 3}, {4, 5}}));
}

TEST(Order, ASignalThatWokeNobodyOrdersNothing) {
  EXPECT_EQ(between(Operation::kSignal, kOther, Operation::kWait, kOther), kOneAndTwo);
  EXPECT_EQ(between(Operation::kBroadcast, kOther, Operation::kWait, kOther), kOneAndTwo);
}

TEST(Order, AFutexOrdersNothing) {
  TraceBuilder trace = begun();
  trace.add(2, Operation::kFutexWait, kOther);
  trace.store(1, kX, 1);
  trace.add(1, Operation::kWoke, kOther, 2);
  trace.add(1, Operation::kFutexWake, kOther);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

void pass_barrier(TraceBuilder& trace, std::uint32_t first, std::uint32_t last) {
  trace.add(first, Operation::kArrive, kOther);
  trace.add(first, Operation::kBarrierWait, kOther);
  trace.add(last, Operation::kArrive, kOther);
  trace.add(last, Operation::kWoke, kOther, first);
  trace.add(last, Operation::kBarrierWait, kOther);
}

TEST(Order, WhoLeavesABarrierComesAfterAllThatArrived) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.store(2, kY, 2);
  pass_barrier(trace, 1, 2);
  trace.store(2, kX, 3);
  trace.store(1, kY, 4);

  EXPECT_EQ(races_of(trace), kNoRace);
}

TEST(Order, WhatComesAfterABarrierIsNotOrderedByIt) {
  TraceBuilder trace = begun();
  pass_barrier(trace, 1, 2);
  trace.store(1, kX, 1);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, ARoundOfABarrierDoesNotLeakIntoTheNext) {
  TraceBuilder trace;
  trace.create_up_to(4);
  trace.store(1, kX, 1);
  pass_barrier(trace, 1, 2);
  pass_barrier(trace, 3, 4);
  trace.store(4, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, ASemaphoreHandsItsUnitsOverInTurn) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, Operation::kSemPost, kOther, 1);
  trace.store(2, kY, 2);
  trace.add(2, Operation::kSemPost, kOther, 2);
  trace.add(3, Operation::kSemWait, kOther, 1);
  trace.store(3, kX, 3);
  trace.store(3, kY, 4);

  EXPECT_EQ(races_of(trace), (RacingSites{{2, 4}}));
}

TEST(Order, TheInitialUnitsOfASemaphoreCarryNothingAndGoFirst) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, Operation::kSemPost, kOther, 2);  // so one was there
  trace.add(2, Operation::kSemTryWait, kOther, 1);
  trace.store(2, kX, 2);
  trace.add(3, Operation::kSemWait, kOther, 0);
  trace.load(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 2}, {2, 3}}));
}

TEST(Order, UnitsThatSomebodyUnseenTookAreGone) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, Operation::kSemPost, kOther, 1);
  trace.add(3, Operation::kSemPost, kOther, 1);  // the first unit was taken in between
  trace.add(2, Operation::kSemWait, kOther, 0);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, WhoFindsAOnceDoneComesAfterIt) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, Operation::kOnce, kOther, 1);
  trace.add(2, Operation::kOnce, kOther, 0);
  trace.load(2, kX, 2);
  trace.add(3, Operation::kOnce, kMutex, 0);
  trace.load(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}}));
}

TEST(Order, AnAcquireLoadSeesWhatWasPublished) {
  TraceBuilder trace = begun();
  trace.store(1, kX, 1);
  trace.add(1, Operation::kPublish, kFlag);
  trace.atomic(2, Operation::kAtomicLoad, kFlag, MemoryOrder::kAcquire);
  trace.load(2, kX, 2);
  trace.atomic(3, Operation::kAtomicLoad, kFlag, MemoryOrder::kRelaxed);
  trace.load(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}}));
}

TEST(Order, WhatWasPublishedOutlivesStoresToTheSameMemory) {
  for (const MemoryOrder order : {MemoryOrder::kRelaxed, MemoryOrder::kRelease}) {
    TraceBuilder trace = begun();
    trace.store(1, kX, 1);
    trace.add(1, Operation::kPublish, kFlag);
    trace.atomic(3, Operation::kAtomicStore, kFlag, order);
    trace.atomic(2, Operation::kAtomicLoad, kFlag, MemoryOrder::kRelaxed);
    trace.load(2, kX, 2);
    trace.add(2, Operation::kObserve, kFlag);
    trace.load(2, kX, 3);

    EXPECT_EQ(races_of(trace), kOneAndTwo);
  }
}

TEST(Order, AnObjectThatIsMadeAnewForgetsWhatItKnew) {
  using enum Operation;
  for (const Operation anew : {kInit, kDestroy}) {
    TraceBuilder trace = begun();
    trace.store(1, kX, 1);
    trace.add(1, kUnlock, kMutex);
    trace.add(3, anew, kMutex);
    trace.add(2, kLock, kMutex);
    trace.store(2, kX, 2);

    EXPECT_EQ(races_of(trace), kOneAndTwo);
  }
}

TEST(Order, ALockInFreedMemoryIsAnotherLockAfterwards) {
  TraceBuilder trace = begun();
  trace.memory(0, Operation::kAllocated, kMutex, 40);
  trace.store(1, kX, 1);
  trace.add(1, Operation::kUnlock, kMutex + 8);
  trace.memory(1, Operation::kFree, kMutex);
  trace.add(2, Operation::kLock, kMutex + 8);
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(Order, WhatIsWrittenToADescriptorLeadsToWhoReadsAny) {
  using enum Operation;
  for (const Operation write : {kWrite, kConnect}) {
    for (const Operation read : {kRead, kAccept, kPoll}) {
      EXPECT_EQ(between(write, 4, read, 5), kNoRace);
      EXPECT_EQ(between(write, 4, read, 5, EventResult::kFailed), kOneAndTwo);
    }
  }
  EXPECT_EQ(between(kRead, 4, kWrite, 5), kOneAndTwo);
}

TEST(Order, ASentSignalLeadsToWhoHandlesIt) {
  using enum Operation;
  for (const Operation taken : {kSignalWait, kHandle}) {
    EXPECT_EQ(between(kSendSignal, 10, taken, 10), kNoRace);
    EXPECT_EQ(between(kSendSignal, 10, taken, 12), kOneAndTwo);
  }
}

TEST(Order, WhatIsNoSynchronisationOrdersNothing) {
  using enum Operation;
  for (const Operation nothing : {kYield, kSleep, kClockRead, kFork, kWaitChild, kDetach, kCancel,
                                  kAfterStore, kFileLock, kPause, kTestCancel}) {
    EXPECT_EQ(between(nothing, kOther, nothing, kOther), kOneAndTwo) << wire::traits(nothing).name;
  }
}

}  // namespace
}  // namespace unravel
