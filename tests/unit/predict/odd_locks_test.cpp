/// Locks that are not taken and given back in turn: their owner ended, or took them earlier.
#include <gtest/gtest.h>

#include <cerrno>

#include "unit/predict/race_check.hpp"
#include "unit/predict/reference.hpp"

namespace unravel {
namespace {

TEST(OddLocks, WhoGetsALockThatDiedWithItsOwnerComesAfterIt) {
  TraceBuilder trace;
  trace.create_up_to(3);
  trace.add(3, Operation::kLock, kMutex);
  trace.store(3, kX, 1);
  trace.add(3, Operation::kUnlock, kMutex);
  trace.add(1, Operation::kLock, kMutex);
  trace.store(1, kX, 2);
  trace.add(1, Operation::kExit);
  trace.add(2, Operation::kLock, kMutex, EOWNERDEAD);
  trace.store(2, kX, 3);
  trace.add(2, Operation::kUnlock, kMutex);
  trace.add(3, Operation::kLock, kMutex);
  trace.store(3, kX, 4);
  trace.store(3, kY, 5);
  trace.store(2, kY, 6);

  EXPECT_EQ(races_of(trace), (RacingSites{{5, 6}}));
  EXPECT_EQ(races_by_definition(trace.events), (RacingSites{{5, 6}}));
}

TEST(OddLocks, ALockThatIsNotGotOrdersNothing) {
  TraceBuilder trace;
  trace.create_up_to(3);
  trace.add(1, Operation::kLock, kMutex);
  trace.store(1, kX, 1);
  trace.add(1, Operation::kUnlock, kMutex);
  TraceEvent& lock = trace.add(2, Operation::kTryLock, kMutex, EBUSY);
  lock.result = EventResult::kFailed;
  trace.store(2, kX, 2);

  EXPECT_EQ(races_of(trace), kOneAndTwo);
}

TEST(OddLocks, WhatWasLockedBeforeTheTraceBeganIsGivenBackInIt) {
  TraceBuilder trace;
  trace.create_up_to(3);
  trace.store(1, kX, 1);
  trace.add(1, Operation::kUnlock, kMutex);
  trace.add(2, Operation::kLock, kMutex);
  trace.store(2, kX, 2);
  trace.store(3, kX, 3);

  EXPECT_EQ(races_of(trace), (RacingSites{{1, 3}, {2, 3}}));
  EXPECT_EQ(races_by_definition(trace.events), (RacingSites{{1, 3}, {2, 3}}));
}

}  // namespace
}  // namespace unravel
