#include "runtime/core/spin_loops.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::Operation;

class SpinLoopsTest : public SchedulerPartsTest {};

TEST_F(SpinLoopsTest, ASpinnerTriesAgainAfterTwiceAsManyPointsEachTime) {
  Thread& self = make_thread();
  Thread& spinner = make_thread();
  Object& nothing = objects_.at(nullptr);
  const auto enter = [&] {
    spins_.enter(spinner);
    block(spinner, nothing, Operation::kSpinLoop);
    ++state_.slot->steps;
  };
  const auto points_until_retry = [&] {
    int points = 0;
    for (; !spins_.retry(&self); ++points) ++state_.slot->steps;
    nothing.contenders.remove(spinner);
    spins_.leave(spinner);
    return points;
  };

  enter();
  EXPECT_TRUE(spins_.any());
  EXPECT_EQ(points_until_retry(), 1);
  EXPECT_FALSE(spins_.any());
  enter();
  EXPECT_EQ(points_until_retry(), 2);
  enter();
  EXPECT_EQ(points_until_retry(), 4);
}

TEST_F(SpinLoopsTest, SpinnersAreLetGoWhenNoThreadIsLeftThatCouldEndTheirLoops) {
  EXPECT_FALSE(spins_.let_go());
  Thread& spinner = make_thread();
  spins_.enter(spinner);
  block(spinner, objects_.at(nullptr), Operation::kSpinLoop);

  EXPECT_TRUE(spins_.let_go());

  EXPECT_EQ(host_.let_go, 1);
  EXPECT_TRUE(state_.runnable.contains(spinner));
}

}  // namespace
}  // namespace unravel
