/// The parts of the scheduler, each without the others' doing.
#include "runtime/core/deadlines.hpp"
#include "runtime/core/endings.hpp"
#include "runtime/core/outside_events.hpp"
#include "runtime/core/progress.hpp"
#include "runtime/core/shared_objects.hpp"
#include "runtime/core/spin_loops.hpp"
#include "unit/runtime/parts_fixture.hpp"

namespace unravel {
namespace {

using wire::ChoiceKind;
using wire::FailureKind;
using wire::LastWords;
using wire::Operation;

class SchedulerPartsTest : public PartsTest {
 protected:
  /// A thread that sleeps until `deadline`.
  Thread& sleeper(std::uint64_t deadline) {
    Thread& thread = make_thread();
    thread.pending = {.kind = Operation::kSleep, .deadline = deadline, .due = deadline};
    state_.runnable.set(thread, false);
    deadlines_.add(thread);
    return thread;
  }

  Countdowns countdowns_;
  RunRecord record_{state_};
  HookWatch hooks_{state_, countdowns_};
  Deadlines deadlines_{state_, record_, hooks_};
  SharedObjects objects_{state_, deadlines_, arena_};
  Endings endings_{state_, objects_};
  Progress progress_{state_, deadlines_, endings_};
  SpinLoops spins_{state_, objects_};
  OutsideEvents outside_{state_, record_, deadlines_, objects_, endings_};
};

// --- Deadlines ---

TEST_F(SchedulerPartsTest, TimeGoesToTheEarliestDeadlineWhenNoThreadCanRun) {
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

TEST_F(SchedulerPartsTest, ATimerThatIsEarlierThanEveryDeadlineIsDueFirst) {
  const Thread& thread = sleeper(9'000'000);
  deadlines_.set_timer(1'000'000);

  deadlines_.pass_time();

  EXPECT_EQ(host_.timers, 1);
  EXPECT_FALSE(thread.timed_out);
}

TEST_F(SchedulerPartsTest, OnlyNearDeadlinesComeByChoice) {
  const Thread& self = make_thread();
  const Thread& near = sleeper(wire::kNearNanoseconds);
  const Thread& far = sleeper(wire::kNearNanoseconds + 1);

  const ThreadSet& fireable = deadlines_.fireable(self);

  EXPECT_TRUE(fireable.contains(near.slot));
  EXPECT_FALSE(fireable.contains(far.slot));
}

TEST_F(SchedulerPartsTest, TimeThatTheScheduleNamesIsRecorded) {
  Thread& self = make_thread();
  const Thread& thread = sleeper(300);

  deadlines_.go_on_by(self, ChoiceKind::kTimeJump, 400);

  EXPECT_EQ(state_.time.now(), 400u);
  EXPECT_TRUE(thread.timed_out);
  ASSERT_EQ(host_.choices.size(), 1u);
  EXPECT_EQ(host_.choices[0].value, 400u);
}

// --- Objects ---

TEST_F(SchedulerPartsTest, AReleaseLetsContendersRun) {
  Thread& owner = make_thread();
  Thread& contender = make_thread();
  int mutex = 0;
  const Op lock{.kind = Operation::kLock, .object = &mutex};
  objects_.acquired(owner, lock);
  block(contender, objects_.at(&mutex), Operation::kLock);

  contender.retry = true;  // what its memory says from now on
  objects_.released(owner, &mutex);

  EXPECT_TRUE(state_.runnable.contains(contender));
  EXPECT_EQ(objects_.at(&mutex).holders, nullptr);
}

// --- Endings ---

TEST_F(SchedulerPartsTest, TwoThreadsThatWaitForEachOtherEndTheRun) {
  Thread& one = make_thread();
  Thread& other = make_thread();
  int first = 0;
  int second = 0;
  objects_.acquired(one, {.kind = Operation::kLock, .object = &first});
  objects_.acquired(other, {.kind = Operation::kLock, .object = &second});
  block(one, objects_.at(&second), Operation::kLock);
  endings_.deadlock_if_closed_by(one);  // no cycle yet

  block(other, objects_.at(&first), Operation::kLock);

  EXPECT_THROW(endings_.deadlock_if_closed_by(other), FakeHost::Ended);
  EXPECT_EQ(host_.last_words.failure, FailureKind::kDeadlock);
  EXPECT_EQ(host_.last_words.cycle_length, 2u);
}

TEST_F(SchedulerPartsTest, AStuckWaiterIsALostWakeup) {
  Thread& waiter = make_thread();
  waiter.pending.kind = Operation::kWait;
  waiter.waiting = true;

  EXPECT_THROW(endings_.stuck(), FakeHost::Ended);

  EXPECT_EQ(host_.last_words.kind, LastWords::Kind::kFailure);
  EXPECT_EQ(host_.last_words.failure, FailureKind::kLostWakeup);
}

TEST_F(SchedulerPartsTest, ALockThatNoThreadHoldsIsUnresolvedNotADeadlock) {
  Thread& thread = make_thread();
  int mutex = 0;
  block(thread, objects_.at(&mutex), Operation::kLock);

  EXPECT_THROW(endings_.stuck(), FakeHost::Ended);

  EXPECT_EQ(host_.last_words.kind, LastWords::Kind::kUnresolved);
}

// --- Progress ---

TEST_F(SchedulerPartsTest, SchedulingTurnsFairAfterTwentyFruitlessStepsPerThread) {
  make_thread();
  make_thread();
  for (int i = 0; i < 40; ++i) progress_.failed();
  EXPECT_FALSE(progress_.is_fair());

  progress_.failed();
  EXPECT_TRUE(progress_.is_fair());

  progress_.made();
  EXPECT_FALSE(progress_.is_fair());
}

TEST_F(SchedulerPartsTest, ALivelockIsClaimedOnlyWhenTheStateHasComeBack) {
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

TEST_F(SchedulerPartsTest, NoLivelockIsProvedWhileSomethingOutsideMayChange) {
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

// --- Spin loops ---

TEST_F(SchedulerPartsTest, ASpinnerTriesAgainAfterTwiceAsManyPointsEachTime) {
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

TEST_F(SchedulerPartsTest, SpinnersAreLetGoWhenNoThreadIsLeftThatCouldEndTheirLoops) {
  EXPECT_FALSE(spins_.let_go());
  Thread& spinner = make_thread();
  spins_.enter(spinner);
  block(spinner, objects_.at(nullptr), Operation::kSpinLoop);

  EXPECT_TRUE(spins_.let_go());

  EXPECT_EQ(host_.let_go, 1);
  EXPECT_TRUE(state_.runnable.contains(spinner));
}

// --- What comes from outside ---

TEST_F(SchedulerPartsTest, SignalsFromOutsideAreRecordedAndDelivered) {
  Thread& self = make_thread();
  host_.arrived = {12, 10};

  EXPECT_TRUE(outside_.take_signals(self));

  EXPECT_EQ(host_.delivered, (std::vector{10, 12}));
  ASSERT_EQ(host_.choices.size(), 2u);
  EXPECT_EQ(host_.choices[0].kind, ChoiceKind::kSignal);
  EXPECT_EQ(host_.choices[0].value, 10u);
  EXPECT_FALSE(outside_.take_signals(self));
}

TEST_F(SchedulerPartsTest, WhatComesFromOutsideIsSampledEveryThousandSteps) {
  Thread& self = make_thread();
  outside_.begin();
  state_.slot->steps = 999;
  EXPECT_FALSE(outside_.is_sample_due());
  state_.slot->steps = 1'234;
  EXPECT_TRUE(outside_.is_sample_due());

  outside_.sample(self);

  EXPECT_FALSE(outside_.is_sample_due());
  state_.slot->steps = 2'000;
  EXPECT_TRUE(outside_.is_sample_due());
}

// --- Hooks ---

TEST_F(SchedulerPartsTest, HooksOfThePointSetAreStepsAndAllCountInTheClock) {
  Thread& self = make_thread();
  state_.limits.points = wire::PointSet::kCalls;
  countdowns_.hooks.left -= 5;
  countdowns_.calls.left -= 2;

  hooks_.read_off(self);

  EXPECT_EQ(self.clock.hooks, 5u);
  EXPECT_EQ(self.hook_points, 2u);
  EXPECT_EQ(state_.slot->steps, 2u);
}

TEST_F(SchedulerPartsTest, TwelveReadsOfTheSameVariableAreALoop) {
  Thread& self = make_thread();
  int variable = 0;
  const Op read{.kind = Operation::kLoad, .object = &variable, .site = &variable};

  int reads = 1;
  while (!hooks_.goes_round(self, read)) ++reads;

  EXPECT_EQ(reads, 13) << "the first is new";
  EXPECT_FALSE(hooks_.goes_round(self, {.kind = Operation::kStore, .object = &variable}));
}

// --- The record ---

TEST_F(SchedulerPartsTest, APreemptionIsCountedAndABlockedThreadIsNotOne) {
  Thread& self = make_thread();
  self.clock = {3, 1};
  self.pending.kind = Operation::kLock;

  record_.slice(self, wire::End::kPreempted);
  state_.runnable.set(self, false);
  record_.slice(self, wire::End::kBlocked);

  EXPECT_EQ(state_.slot->slices, 2u);
  EXPECT_EQ(state_.slot->preemptions, 1u);
  EXPECT_EQ(self.record->state, wire::ThreadState::kBlocked);
  EXPECT_EQ(host_.slices[0].until, (wire::Clock{3, 1}));
}

TEST_F(SchedulerPartsTest, TheHashOfAScheduleDependsOnWhereThreadsWereLeft) {
  Thread& self = make_thread();
  record_.slice(self, wire::End::kPreempted);
  const std::uint64_t early = state_.slot->schedule_hash;
  state_.slot->schedule_hash = 0;
  self.clock.operations = 1;

  record_.slice(self, wire::End::kPreempted);

  EXPECT_NE(state_.slot->schedule_hash, early);
}

}  // namespace
}  // namespace unravel
