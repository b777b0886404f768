#include "runtime/core/endings.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::FailureKind;
using wire::LastWords;
using wire::Operation;

class EndingsTest : public SchedulerPartsTest {};

TEST_F(EndingsTest, TwoThreadsThatWaitForEachOtherEndTheRun) {
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

TEST_F(EndingsTest, AStuckWaiterIsALostWakeup) {
  Thread& waiter = make_thread();
  waiter.pending.kind = Operation::kWait;
  waiter.waiting = true;

  EXPECT_THROW(endings_.stuck(), FakeHost::Ended);

  EXPECT_EQ(host_.last_words.kind, LastWords::Kind::kFailure);
  EXPECT_EQ(host_.last_words.failure, FailureKind::kLostWakeup);
}

TEST_F(EndingsTest, ALockThatNoThreadHoldsIsUnresolvedNotADeadlock) {
  Thread& thread = make_thread();
  int mutex = 0;
  block(thread, objects_.at(&mutex), Operation::kLock);

  EXPECT_THROW(endings_.stuck(), FakeHost::Ended);

  EXPECT_EQ(host_.last_words.kind, LastWords::Kind::kUnresolved);
}

}  // namespace
}  // namespace unravel
