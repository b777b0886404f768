#include "wire/operation.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace unravel::wire {
namespace {

std::vector<Operation> all_operations() {
  std::vector<Operation> all;
  for (std::size_t i = 0; i < kOperationCount; ++i) all.push_back(static_cast<Operation>(i));
  return all;
}

TEST(Operations, KeepTheNumbersThatStoredSchedulesUse) {
  EXPECT_EQ(static_cast<int>(Operation::kLock), 7);
  EXPECT_EQ(static_cast<int>(Operation::kYield), 29);
  EXPECT_EQ(static_cast<int>(Operation::kFork), 50);
  EXPECT_EQ(static_cast<int>(Operation::kAfterStore), 61);
  EXPECT_EQ(static_cast<int>(Operation::kFresh), 69);
  EXPECT_EQ(static_cast<int>(Operation::kSpinLoop), 74);
  EXPECT_EQ(static_cast<int>(Operation::kAtomicBegin), 75);
  EXPECT_EQ(static_cast<int>(Operation::kFunctionExit), 78);
}

TEST(Operations, ThatAcquireAKindOfObjectHaveOneThatReleasesIt) {
  std::set<ObjectKind> acquired;
  std::set<ObjectKind> released;
  for (const Operation operation : all_operations()) {
    if (acquires(operation)) acquired.insert(traits(operation).object);
    if (has_effect(operation, Effect::kRelease)) released.insert(traits(operation).object);
  }

  EXPECT_EQ(acquired, released);
  EXPECT_EQ(acquired, (std::set{ObjectKind::kMutex, ObjectKind::kReadWriteLock,
                                ObjectKind::kSpinLock, ObjectKind::kStream}));
}

TEST(Operations, ThatOnlyCountHaveNoPointAfterThem) {
  for (const Operation operation : all_operations()) {
    if (!is_synchronisation(operation)) {
      EXPECT_FALSE(traits(operation).after) << traits(operation).name;
    }
    if (is_hook(operation)) {
      EXPECT_FALSE(is_synchronisation(operation)) << traits(operation).name;
    }
  }
}

TEST(Operations, ThatLetOthersGoOnHaveAPointAfterThem) {
  for (const Operation operation : all_operations()) {
    const Effect effect = traits(operation).effect;
    const bool lets_go = effect == Effect::kRelease || effect == Effect::kWake ||
                         effect == Effect::kPost || effect == Effect::kSend ||
                         effect == Effect::kSendSignal || effect == Effect::kCreate;
    if (lets_go) {
      EXPECT_TRUE(traits(operation).after) << traits(operation).name;
    }
  }
}

TEST(Operations, OnPlainMemoryAreNoContention) {
  EXPECT_FALSE(contends(Operation::kLoad));
  EXPECT_FALSE(contends(Operation::kStore));
  EXPECT_TRUE(contends(Operation::kAtomicLoad));
  EXPECT_TRUE(contends(Operation::kAtomicStore));
  EXPECT_TRUE(contends(Operation::kAtomicUpdate));
}

TEST(Operations, ThatReleaseAreNoContentionBecauseTheNextAcquireIs) {
  EXPECT_TRUE(contends(Operation::kReadLock));
  EXPECT_TRUE(contends(Operation::kWriteLock));
  EXPECT_TRUE(contends(Operation::kTryLock));
  EXPECT_FALSE(contends(Operation::kUnlock));
  EXPECT_FALSE(contends(Operation::kReadWriteUnlock));
}

TEST(Operations, ThatContendAreAboutOneObjectInMemory) {
  for (const Operation operation : all_operations()) {
    if (!contends(operation)) continue;
    EXPECT_FALSE(acts_on_number(operation)) << traits(operation).name;
    EXPECT_NE(traits(operation).counts, Counts::kNothing) << traits(operation).name;
    EXPECT_NE(std::string(noun(operation)), "") << traits(operation).name;
  }
}

TEST(Operations, CommuteIfBothReadOrBothCountTheSame) {
  EXPECT_TRUE(commute(Operation::kLoad, Operation::kAtomicLoad));
  EXPECT_TRUE(commute(Operation::kReadLock, Operation::kTryReadLock));
  EXPECT_TRUE(commute(Operation::kSemPost, Operation::kSemPost));
  EXPECT_TRUE(commute(Operation::kYield, Operation::kLock));
  EXPECT_FALSE(commute(Operation::kReadLock, Operation::kReadWriteUnlock));
  EXPECT_FALSE(commute(Operation::kSemPost, Operation::kSemWait));
  EXPECT_FALSE(commute(Operation::kLoad, Operation::kStore));
  EXPECT_FALSE(commute(Operation::kLock, Operation::kLock));
}

TEST(Operations, AccessMemoryOnlyByHooks) {
  for (const Operation operation : all_operations()) {
    if (!is_access(operation)) continue;
    EXPECT_TRUE(is_hook(operation)) << traits(operation).name;
    EXPECT_EQ(std::string(noun(operation)), "memory") << traits(operation).name;
    EXPECT_FALSE(acts_on_number(operation)) << traits(operation).name;
  }
}

TEST(Operations, OnThingsOutsideTheProcessHaveNumbers) {
  for (const Operation operation : all_operations()) {
    const bool outside = traits(operation).outside != Outside::kNever;
    if (outside && operation != Operation::kPause) {
      EXPECT_TRUE(acts_on_number(operation)) << traits(operation).name;
    }
    if (traits(operation).only_tried) {
      EXPECT_TRUE(outside) << traits(operation).name;
    }
  }
}

}  // namespace
}  // namespace unravel::wire
