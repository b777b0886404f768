#include "runtime/core/shared_objects.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::Operation;

class SharedObjectsTest : public SchedulerPartsTest {};

TEST_F(SharedObjectsTest, AReleaseLetsContendersRun) {
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

}  // namespace
}  // namespace unravel
