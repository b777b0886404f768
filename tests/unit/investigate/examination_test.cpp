#include "investigate/examination.hpp"

#include "investigated.hpp"

namespace unravel {
namespace {

class ExaminationTest : public Investigated {
 protected:
  ExaminationRequest request() {
    ExaminationRequest request;
    request.judging.timeout = kPatience;
    request.store = store_.path();
    return request;
  }
};

TEST_F(ExaminationTest, OfAControlledProgramDiffersInNothing) {
  const auto checkup = examine(request(), program("account_mended"), observer_);

  ASSERT_TRUE(checkup) << checkup.error().what;
  EXPECT_FALSE(checkup->difference);
  EXPECT_EQ(checkup->runs(), 5u);
  EXPECT_EQ(checkup->differed(), 0u);
  EXPECT_GT(checkup->anew.runs, 0u);
  EXPECT_EQ(checkup->later.runs, 0u);
  EXPECT_GT(checkup->events, 0u);
  EXPECT_FALSE(checkup->has_hooks);
  EXPECT_EQ(checkup->first.threads, 3u);
  EXPECT_TRUE(checkup->controlled());
}

TEST_F(ExaminationTest, SeesHooks) {
  const auto checkup = examine(request(), program("counter"), observer_);

  ASSERT_TRUE(checkup) << checkup.error().what;
  EXPECT_TRUE(checkup->has_hooks);
  EXPECT_FALSE(checkup->difference);
}

TEST_F(ExaminationTest, NamesTheFirstDifference) {
  const auto checkup = examine(request(), program("counter_of_cycles"), observer_);

  ASSERT_TRUE(checkup) << checkup.error().what;
  EXPECT_FALSE(checkup->controlled());
  ASSERT_TRUE(checkup->difference);
  EXPECT_GT(checkup->differed(), 0u);
  const Difference& difference = *checkup->difference;
  EXPECT_EQ(difference.in, Difference::In::kEvent);
  EXPECT_EQ(difference.source, Source::kTime);
  EXPECT_GT(difference.run, 1u);
  ASSERT_FALSE(difference.stack.empty());
  EXPECT_EQ(difference.stack[0].function, "work");
}

TEST_F(ExaminationTest, IsMadeOnceMoreLater) {
  ExaminationRequest later = request();
  later.later = std::chrono::milliseconds(1);

  const auto checkup = examine(later, program("account_mended"), observer_);

  ASSERT_TRUE(checkup) << checkup.error().what;
  EXPECT_EQ(checkup->later.runs, 1u);
  EXPECT_EQ(checkup->later.differed, 0u);
  EXPECT_GT(checkup->seconds_later, 0);
  EXPECT_EQ(checkup->runs(), 5u) << "one of those that were asked for";
}

TEST_F(ExaminationTest, EndsWithAnInterruptionWhileItWaits) {
  ExaminationRequest later = request();
  later.runs = 2;
  later.later = std::chrono::hours(2);

  const auto checkup = examine(later, program("account_mended"), observer_);

  ASSERT_FALSE(checkup);
  EXPECT_EQ(checkup.error(), interrupted_error());
  ASSERT_EQ(observer_.announced_waits.size(), 1u);
  EXPECT_GT(observer_.announced_waits[0], 60);
}

TEST_F(ExaminationTest, SaysThatOneThreadIsNothingToInterleave) {
  const auto checkup = examine(request(), program("alone"), observer_);

  ASSERT_TRUE(checkup) << checkup.error().what;
  EXPECT_EQ(checkup->first.threads, 1u);
  EXPECT_FALSE(checkup->concerns.empty());
}

}  // namespace
}  // namespace unravel
