#include "runtime/core/thread_table.hpp"

#include "unit/runtime/parts_fixture.hpp"

namespace unravel {
namespace {

class ThreadTableTest : public PartsTest {
 protected:
  ThreadTable& table_ = state_.threads;
};

TEST_F(ThreadTableTest, NumbersThreadsInTheOrderInWhichTheyAreMade) {
  EXPECT_EQ(table_.make()->ordinal, 0u);
  EXPECT_EQ(table_.make()->ordinal, 1u);
  EXPECT_EQ(table_.alive(), 2u);
  EXPECT_EQ(table_.ever(), 2u);
}

TEST_F(ThreadTableTest, GivesASlotAgainWhenItsThreadIsForgotten) {
  table_.make();
  Thread& second = *table_.make();
  table_.end(second);
  EXPECT_EQ(table_.make()->slot, 2u) << "it may still be joined";

  table_.forget(second);
  const Thread& next = *table_.make();

  EXPECT_EQ(next.slot, 1u);
  EXPECT_EQ(next.ordinal, 3u);
  EXPECT_EQ(table_.slot_of()[1], kNoSlot);
  EXPECT_EQ(table_.slot_of()[3], 1u);
}

TEST_F(ThreadTableTest, TakesBackTheOrdinalOfAThreadThatNeverLived) {
  table_.make();

  table_.drop(*table_.make());

  EXPECT_EQ(table_.alive(), 1u);
  EXPECT_EQ(table_.make()->ordinal, 1u);
}

TEST_F(ThreadTableTest, VisitsThreadsThatCanStillTakeAStep) {
  table_.make();
  table_.end(*table_.make());
  table_.make();
  std::vector<std::uint32_t> seen;

  table_.for_each_live([&](const Thread& thread) { seen.push_back(thread.ordinal); });

  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 2}));
}

TEST_F(ThreadTableTest, FindsAThreadByItsHandleUntilItIsForgotten) {
  Thread& thread = *table_.make();
  thread.handle = 77;
  EXPECT_EQ(table_.with_handle(77), &thread);

  table_.end(thread);
  table_.forget(thread);

  EXPECT_EQ(table_.with_handle(77), nullptr);
}

}  // namespace
}  // namespace unravel
