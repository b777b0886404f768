#include "runtime/core/runnable.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

class RunnableTest : public testing::Test {
 protected:
  RunnableTest() {
    for (std::uint32_t i = 0; i < 3; ++i) threads_[i].slot = i;
    runnable_.adopt(threads_[0]);
  }

  Thread threads_[3];
  Runnable runnable_;
};

TEST_F(RunnableTest, QueuesAllThatCanRunButTheOneThatHasTheTurn) {
  runnable_.set(threads_[2], true);
  runnable_.set(threads_[1], true);

  EXPECT_EQ(runnable_.count(), 3u);
  EXPECT_EQ(runnable_.running(), &threads_[0]);
  EXPECT_EQ(runnable_.queue().head(), &threads_[2]) << "in the order in which they came";
}

TEST_F(RunnableTest, PutsAPreemptedThreadAtTheEndOfTheQueue) {
  runnable_.set(threads_[1], true);
  runnable_.set(threads_[2], true);

  runnable_.pass_turn(threads_[0], threads_[1]);

  EXPECT_EQ(runnable_.running(), &threads_[1]);
  EXPECT_EQ(runnable_.queue().head(), &threads_[2]);
  EXPECT_TRUE(threads_[0].queue.is_in);
  EXPECT_FALSE(threads_[1].queue.is_in);
}

TEST_F(RunnableTest, LeavesABlockedThreadOutOfTheQueue) {
  runnable_.set(threads_[1], true);

  runnable_.set_running(threads_[0], false);
  runnable_.pass_turn(threads_[0], threads_[1]);

  EXPECT_FALSE(runnable_.contains(threads_[0]));
  EXPECT_FALSE(threads_[0].queue.is_in);
  EXPECT_EQ(runnable_.queue().head(), nullptr);
}

}  // namespace
}  // namespace unravel
