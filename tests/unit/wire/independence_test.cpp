#include "wire/independence.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <vector>

namespace unravel::wire {
namespace {

using enum Operation;

constexpr std::uint64_t kHere = 0x1000;
constexpr std::uint64_t kThere = 0x2000;
constexpr std::uint64_t kAnyMemory = PendingOperation::kAnyMemory;

struct Pair {
  PendingOperation one;
  PendingOperation other;
};

std::string text_of(const PendingOperation& one) {
  return std::string(traits(one.operation).name) + " " + std::to_string(one.object) + " " +
         std::to_string(one.also);
}

void expect_all(bool expected, const std::vector<Pair>& pairs) {
  for (const Pair& pair : pairs) {
    EXPECT_EQ(independent(pair.one, pair.other), expected)
        << text_of(pair.one) << ", " << text_of(pair.other);
    EXPECT_EQ(independent(pair.other, pair.one), expected)
        << text_of(pair.other) << ", " << text_of(pair.one);
  }
}

/// Every operation, on a few objects and with a few second ones.
std::vector<PendingOperation> many_operations() {
  std::vector<PendingOperation> many;
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    for (const std::uint64_t object : {std::uint64_t{0}, std::uint64_t{1}, kHere, kThere}) {
      for (const std::uint64_t also : {std::uint64_t{0}, std::uint64_t{8}, kThere, kAnyMemory}) {
        many.push_back({static_cast<Operation>(i), object, also});
      }
    }
  }
  return many;
}

TEST(Independence, IsSymmetric) {
  const std::vector<PendingOperation> many = many_operations();
  for (const PendingOperation& one : many) {
    for (const PendingOperation& other : many) {
      ASSERT_EQ(independent(one, other), independent(other, one))
          << text_of(one) << ", " << text_of(other);
    }
  }
}

TEST(Independence, IsOfOperationsOnDifferentObjects) {
  expect_all(true, {{{kLock, kHere}, {kLock, kThere}},
                    {{kLock, kHere}, {kUnlock, kThere}},
                    {{kLock, kHere}, {kSemWait, kThere}},
                    {{kWriteLock, kHere}, {kWriteLock, kThere}},
                    {{kSignal, kHere}, {kBroadcast, kThere}},
                    {{kBarrierWait, kHere}, {kBarrierWait, kThere}},
                    {{kOnce, kHere}, {kOnce, kThere}},
                    {{kSpinLock, kHere}, {kSpinLock, kThere}},
                    {{kFutexWait, kHere}, {kFutexWake, kThere}},
                    {{kStore, kHere, 8}, {kStore, kThere, 8}},
                    {{kAtomicUpdate, kHere, 4}, {kLock, kThere}},
                    {{kRead, 3}, {kLock, kHere}},
                    {{kJoin, 1}, {kLock, kHere}}});
}

TEST(Independence, IsOfTwoThatOnlyReadOrCount) {
  expect_all(true, {{{kLoad, kHere, 8}, {kLoad, kHere, 8}},
                    {{kLoad, kHere, 8}, {kAtomicLoad, kHere, 8}},
                    {{kReadLock, kHere}, {kReadLock, kHere}},
                    {{kReadLock, kHere}, {kTryReadLock, kHere}},
                    {{kReadWriteUnlock, kHere}, {kReadWriteUnlock, kHere}},
                    {{kSemPost, kHere}, {kSemPost, kHere}}});
}

TEST(Independence, IsNotOfTwoThatCountUpAndDown) {
  expect_all(false, {{{kReadLock, kHere}, {kReadWriteUnlock, kHere}},
                     {{kSemPost, kHere}, {kSemWait, kHere}},
                     {{kSemPost, kHere}, {kSemTryWait, kHere}}});
}

TEST(Independence, IsNotOfTwoThatChangeTheirObject) {
  expect_all(false, {{{kLock, kHere}, {kLock, kHere}},
                     {{kLock, kHere}, {kTryLock, kHere}},
                     {{kTryLock, kHere}, {kTryLock, kHere}},
                     {{kLock, kHere}, {kUnlock, kHere}},
                     {{kReadLock, kHere}, {kWriteLock, kHere}},
                     {{kTryReadLock, kHere}, {kTryWriteLock, kHere}},
                     {{kSemWait, kHere}, {kSemWait, kHere}},
                     {{kSignal, kHere}, {kWait, kHere, kThere}},
                     {{kSignal, kHere}, {kSignal, kHere}},
                     {{kBarrierWait, kHere}, {kBarrierWait, kHere}},
                     {{kOnce, kHere}, {kOnce, kHere}},
                     {{kFutexWait, kHere}, {kFutexWake, kHere}},
                     {{kStore, kHere, 8}, {kLoad, kHere, 8}},
                     {{kAtomicUpdate, kHere, 8}, {kAtomicUpdate, kHere, 8}}});
}

TEST(Independence, LooksAtTheBytesOfAnAccess) {
  expect_all(false, {{{kStore, kHere, 8}, {kLoad, kHere + 7, 1}},
                     {{kStore, kHere, 100}, {kLoad, kHere + 99, 1}},
                     {{kStore, kHere, 0}, {kLoad, kThere, 1}},  // a size that is not known
                     {{kStore, kThere, kAnyMemory}, {kLoad, kHere, 1}}});
  expect_all(true, {{{kStore, kHere, 8}, {kLoad, kHere + 8, 1}},
                    {{kStore, kHere, 1}, {kStore, kHere + 1, 1}},
                    {{kStore, kThere, 0}, {kLoad, kHere, 8}}});
}

TEST(Independence, IsNotOfAnAccessToThePartsOfALock) {
  expect_all(false, {{{kFutexWait, kHere}, {kAtomicStore, kHere, 4}},
                     {{kFutexWait, kHere + 4}, {kStore, kHere, 8}},
                     {{kLock, kHere}, {kLoad, kHere + sizeof(pthread_mutex_t) - 1, 1}},
                     {{kReadLock, kHere}, {kLoad, kHere, 4}},
                     {{kUnlock, kHere}, {kStore, kHere, 4}},
                     {{kSpinUnlock, kHere}, {kAtomicUpdate, kHere, 4}}});
  expect_all(true, {{{kLock, kHere}, {kStore, kHere + sizeof(pthread_mutex_t), 8}},
                    {{kLock, kHere}, {kLock, kHere + sizeof(pthread_mutex_t)}}});
}

TEST(Independence, KnowsHowLargePrimitivesAre) {
  EXPECT_EQ(traits(ObjectKind::kMutex).bytes, sizeof(pthread_mutex_t));
  EXPECT_EQ(traits(ObjectKind::kCondition).bytes, sizeof(pthread_cond_t));
  EXPECT_EQ(traits(ObjectKind::kReadWriteLock).bytes, sizeof(pthread_rwlock_t));
  EXPECT_EQ(traits(ObjectKind::kSemaphore).bytes, sizeof(sem_t));
  EXPECT_EQ(traits(ObjectKind::kBarrier).bytes, sizeof(pthread_barrier_t));
  EXPECT_EQ(traits(ObjectKind::kOnce).bytes, sizeof(pthread_once_t));
  EXPECT_EQ(traits(ObjectKind::kSpinLock).bytes, sizeof(pthread_spinlock_t));
  EXPECT_EQ(traits(ObjectKind::kFutex).bytes, sizeof(std::uint32_t));
}

TEST(Independence, LooksAtTheSecondObject) {
  const PendingOperation wait{kWait, kHere, kThere};
  expect_all(false, {{wait, {kLock, kThere}},
                     {wait, {kUnlock, kThere}},
                     {{kWait, kHere}, {kLock, kThere}},  // of any mutex
                     {{kFutexRequeue, kHere, kThere}, {kFutexWait, kThere}},
                     {{kFutexWake, kHere, kThere}, {kAtomicLoad, kThere, 4}},
                     {{kFutexWait, kHere, kAnyMemory}, {kFutexWake, kThere}},
                     {{kReadLock, kHere, kHere}, {kReadLock, kHere, kHere}},  // prefers writers
                     {{kCreate, 0, kHere}, {kLoad, kHere, 8}},
                     {{kJoin, 2, kHere}, {kStore, kHere, 8}}});
  expect_all(true, {{wait, {kLock, kHere + 0x500}},
                    {wait, {kWait, kHere + 0x500, kThere + 0x500}},
                    {{kCreate, 0, kHere}, {kLoad, kThere, 8}},
                    {{kJoin, 2}, {kLoad, kHere, 8}}});
}

TEST(Independence, IsNotOfTheLifeOfOneThread) {
  expect_all(false, {{{kExit, 2}, {kJoin, 2}},
                     {{kExit, 0}, {kJoin, 0}},
                     {{kExit, 2}, {kTryJoin, 2}},
                     {{kJoin, 2}, {kTryJoin, 2}},
                     {{kDetach, 2}, {kExit, 2}},
                     {{kCreate, 0}, {kCreate, 0}},
                     {{kCreate, 0}, {kJoin, 2}}});
  expect_all(true, {{{kExit, 2}, {kExit, 3}},
                    {{kJoin, 2}, {kJoin, 3}},
                    {{kExit, 2}, {kJoin, 3}},
                    {{kStart, 2}, {kCreate, 0}},
                    {{kStart, 2}, {kJoin, 2}}});
}

TEST(Independence, IsOfWhatAThreadDoesByItself) {
  for (const PendingOperation& own : std::vector<PendingOperation>{
           {kNone}, {kStart, 1}, {kYield}, {kSleep}, {kFence}, {kEnter}, {kBackEdge}}) {
    expect_all(true, {{own, own}, {own, {kLock, kHere}}, {own, {kStore, kHere}}, {own, {kRead}}});
  }
}

TEST(Independence, IsNotOfAnythingOutside) {
  expect_all(false, {{{kRead, 3}, {kWrite, 4}},
                     {{kPoll, 3}, {kAccept, 5}},
                     {{kRead, 3}, {kStore, kHere, 8}},  // the buffer
                     {{kStreamUnlock, kHere}, {kWrite, 1}},
                     {{kSendMessage, 1}, {kReceiveMessage, 2}},
                     {{kSignalWait, 2}, {kSignalWait, 3}},
                     {{kWaitChild, 0}, {kRead, 3}}});
}

TEST(Independence, IsNotOfTwoThatUseTheHeap) {
  // Which thread gets a block that was freed is the order of these.
  expect_all(false, {{{kAllocate}, {kAllocate}},
                     {{kAllocate}, {kFree, kHere}},
                     {{kFree, kHere}, {kFree, kThere}},
                     {{kAllocate}, {kLoad, kHere, 8}},
                     {{kFree, kHere}, {kStore, kThere, 8}},
                     {{kFree, kHere}, {kLock, kThere}}});
}

TEST(Independence, IsNeverOfWhatAffectsEverything) {
  const std::vector<Operation> everything = {kProcessExit, kFork,  kClockRead, kCancel,
                                             kSendSignal,  kPause, kSpinLoop};
  for (const Operation one : everything) {
    for (const PendingOperation& other : many_operations()) {
      ASSERT_FALSE(independent({one}, other)) << traits(one).name << ", " << text_of(other);
    }
  }
}

TEST(Independence, IsSaidByEveryRow) {
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    const OperationTraits& row = kOperations[i];
    EXPECT_NE(row.influence, Influence::kNotSaid) << row.name;
    const bool has_object = traits(row.object).space != Space::kNone;
    if (row.influence == Influence::kReads || row.influence == Influence::kCounts ||
        row.influence == Influence::kChanges) {
      EXPECT_TRUE(has_object) << row.name << " changes an object that it does not have";
    }
  }
}

static_assert(independent({kReadLock, kHere}, {kReadLock, kHere}),
              "it can be asked at compile time");

}  // namespace
}  // namespace unravel::wire
