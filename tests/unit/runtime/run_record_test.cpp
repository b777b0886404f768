#include "runtime/core/run_record.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::Operation;

class RunRecordTest : public SchedulerPartsTest {};

TEST_F(RunRecordTest, APreemptionIsCountedAndABlockedThreadIsNotOne) {
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

TEST_F(RunRecordTest, TheDriverSeesTheDeadlineOfAWait) {
  Thread& self = make_thread();
  self.pending.kind = Operation::kSleep;
  self.pending.deadline = 700;
  state_.runnable.set(self, false);

  record_.slice(self, wire::End::kBlocked);
  EXPECT_EQ(self.record->deadline, 700u);

  self.pending.deadline = kNever;
  record_.slice(self, wire::End::kBlocked);
  EXPECT_EQ(self.record->deadline, wire::kNoDeadline);
}

TEST_F(RunRecordTest, TheHashOfAScheduleDependsOnWhereThreadsWereLeft) {
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
