#include "runtime/core/deadlines.hpp"
#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::ChoiceKind;

class DeadlinesPartTest : public SchedulerPartsTest {};

TEST_F(DeadlinesPartTest, TimeGoesToTheEarliestDeadlineWhenNoThreadCanRun) {
  Thread& late = sleeper(5'000'000);
  Thread& early = sleeper(2'000'000);

  deadlines_.pass_time();

  EXPECT_EQ(state_.time.now(), 2'000'000u);
  EXPECT_TRUE(early.timed_out);
  EXPECT_TRUE(state_.runnable.contains(early));
  EXPECT_FALSE(deadlines_.contains(early));
  EXPECT_FALSE(late.timed_out);
  EXPECT_EQ(deadlines_.earliest(), &late);
}

TEST_F(DeadlinesPartTest, ATimerThatIsEarlierThanEveryDeadlineIsDueFirst) {
  const Thread& thread = sleeper(9'000'000);
  deadlines_.set_timer(1'000'000);

  deadlines_.pass_time();

  EXPECT_EQ(host_.timers, 1);
  EXPECT_FALSE(thread.timed_out);
}

TEST_F(DeadlinesPartTest, OnlyNearDeadlinesComeByChoice) {
  const Thread& self = make_thread();
  const Thread& near = sleeper(wire::kNearNanoseconds);
  const Thread& far = sleeper(wire::kNearNanoseconds + 1);

  const ThreadSet& fireable = deadlines_.fireable(self);

  EXPECT_TRUE(fireable.contains(near.slot));
  EXPECT_FALSE(fireable.contains(far.slot));
}

TEST_F(DeadlinesPartTest, TimeThatTheScheduleNamesIsRecorded) {
  Thread& self = make_thread();
  const Thread& thread = sleeper(300);

  deadlines_.go_on_by(self, ChoiceKind::kTimeJump, 400);

  EXPECT_EQ(state_.time.now(), 400u);
  EXPECT_EQ(state_.slot->time, 400u) << "for the driver";
  EXPECT_TRUE(thread.timed_out);
  ASSERT_EQ(host_.choices.size(), 1u);
  EXPECT_EQ(host_.choices[0].value, 400u);
}

TEST_F(DeadlinesPartTest, TimePassesWhileAllThatCanRunOnlySpin) {
  Thread& self = make_thread();
  const Thread& soon = sleeper(50'000);
  const Thread& later = sleeper(100'000'000);

  deadlines_.pass_while_spinning(self);
  EXPECT_TRUE(soon.timed_out);
  EXPECT_LT(state_.time.now(), 1'000'000u) << "no farther than to the next deadline";

  state_.runnable.set(state_.threads.at(soon.slot), false);
  const std::uint64_t before = state_.time.now();
  deadlines_.pass_while_spinning(self);
  EXPECT_EQ(state_.time.now(), before + 20'000'000);
  EXPECT_FALSE(later.timed_out);
  ASSERT_EQ(host_.choices.size(), 2u);
  EXPECT_EQ(host_.choices[1].kind, ChoiceKind::kTimeJump);
}

TEST_F(DeadlinesPartTest, TimeDoesNotPassForASpinnerWhileOthersCanRun) {
  Thread& self = make_thread();
  make_thread();
  sleeper(50'000);

  deadlines_.pass_while_spinning(self);

  EXPECT_EQ(state_.time.now(), 0u);
}

TEST_F(DeadlinesPartTest, TheDriverSeesTheTimeThatThreadsRead) {
  Thread& self = make_thread();

  deadlines_.read_clock(self, 0);
  const std::uint64_t read = deadlines_.read_clock(self, 0);

  EXPECT_GT(read, 0u);
  EXPECT_EQ(state_.slot->time, read);
}

}  // namespace
}  // namespace unravel
