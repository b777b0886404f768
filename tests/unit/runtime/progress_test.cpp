#include "runtime/core/progress.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::FailureKind;
using wire::Operation;

class ProgressTest : public SchedulerPartsTest {};

TEST_F(ProgressTest, SchedulingTurnsFairAfterTwentyFruitlessStepsPerThread) {
  make_thread();
  make_thread();
  for (int i = 0; i < 40; ++i) progress_.failed();
  EXPECT_FALSE(progress_.is_fair());

  progress_.failed();
  EXPECT_TRUE(progress_.is_fair());

  progress_.made();
  EXPECT_FALSE(progress_.is_fair());
}

TEST_F(ProgressTest, ALivelockIsClaimedOnlyWhenTheStateHasComeBack) {
  Thread& self = make_thread();
  self.pending.kind = Operation::kYield;
  const auto spin = [&] {
    for (int i = 0; i < 10'000; ++i) {
      progress_.failed();
      progress_.check_for_livelock(self, Leave::kYields);
    }
  };

  spin();
  EXPECT_GT(host_.comparisons, 1) << "the state differed";
  host_.is_same = true;

  EXPECT_THROW(spin(), FakeHost::Ended);
  EXPECT_EQ(host_.last_words.failure, FailureKind::kLivelock);
}

TEST_F(ProgressTest, NoLivelockIsProvedWhileSomethingOutsideMayChange) {
  Thread& self = make_thread();
  self.pending.kind = Operation::kYield;
  host_.outside = true;
  host_.is_same = true;

  for (int i = 0; i < 10'000; ++i) {
    progress_.failed();
    progress_.check_for_livelock(self, Leave::kYields);
  }

  EXPECT_EQ(host_.comparisons, 0);
}

}  // namespace
}  // namespace unravel
