#include "runtime/core/hook_watch.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::Operation;

class HookWatchTest : public SchedulerPartsTest {};

TEST_F(HookWatchTest, HooksOfThePointSetAreStepsAndAllCountInTheClock) {
  Thread& self = make_thread();
  state_.limits.points = wire::PointSet::kCalls;
  countdowns_.hooks.left -= 5;
  countdowns_.calls.left -= 2;

  hooks_.read_off(self);

  EXPECT_EQ(self.clock.hooks, 5u);
  EXPECT_EQ(self.hook_points, 2u);
  EXPECT_EQ(state_.slot->steps, 2u);
}

TEST_F(HookWatchTest, TwelveReadsOfTheSameVariableAreALoop) {
  Thread& self = make_thread();
  int variable = 0;
  const Op read{.kind = Operation::kLoad, .object = &variable, .site = &variable};

  int reads = 1;
  while (!hooks_.goes_round(self, read)) ++reads;

  EXPECT_EQ(reads, 13) << "the first is new";
  EXPECT_FALSE(hooks_.goes_round(self, {.kind = Operation::kStore, .object = &variable}));
}

}  // namespace
}  // namespace unravel
