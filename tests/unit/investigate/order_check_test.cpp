#include "investigate/order_check.hpp"

#include <gtest/gtest.h>

#include <set>

#include "fake_runner.hpp"
#include "recording_observer.hpp"

namespace unravel {
namespace {

class OrderCheckTest : public testing::Test {
 protected:
  /// What is found out about a failure if other schedules end as `answer` says.
  Result<OrderCheck> check(const unravel::Run& failing, Answer answer,
                           std::uint64_t most_runs = 1000) {
    FakePool fake([&](const RunRequest& request) {
      asked_.push_back(request);
      return answer(request);
    });
    const Allowance allowance(
        fake.pool, {.runs = most_runs, .processor_time = std::chrono::hours(1), .deadline = {}},
        observer_);
    return check_order(fake.pool, failing, allowance);
  }

  std::vector<RunRequest> asked_;
  RecordingObserver observer_;
};

TEST_F(OrderCheckTest, AFailureUnderTwentySchedulesDependsOnNoOrder) {
  const auto order = check(failed_run(), [](const RunRequest&) { return failed_run(); });

  ASSERT_TRUE(order);
  EXPECT_FALSE(order->depends);
  EXPECT_FALSE(order->one_thread);
  EXPECT_EQ(order->schedules, 20u);
}

TEST_F(OrderCheckTest, OneRunThatPassesIsEnough) {
  const auto order = check(failed_run(), [&](const RunRequest&) {
    return asked_.size() == 3 ? passed_run() : failed_run();
  });

  ASSERT_TRUE(order);
  EXPECT_TRUE(order->depends);
  EXPECT_EQ(order->schedules, 2u);
  EXPECT_EQ(asked_.size(), 3u);
}

TEST_F(OrderCheckTest, AnotherFailureIsNotTheSame) {
  const auto order =
      check(failed_run(), [](const RunRequest&) { return failed_run("assert: other other.c:1"); });

  ASSERT_TRUE(order);
  EXPECT_TRUE(order->depends);
}

TEST_F(OrderCheckTest, SchedulesAreUndisturbedAtFirstAndThenAllDifferent) {
  unravel::Run failing = failed_run();
  failing.schedule.points = wire::PointSet::kAuto;
  failing.schedule.marks = {wire::Site::of(1, 7)};

  ASSERT_TRUE(check(failing, [](const RunRequest&) { return failed_run(); }));

  ASSERT_EQ(asked_.size(), 20u);
  EXPECT_EQ(asked_[0].schedule.then.kind, wire::RuleKind::kStay);
  std::set<std::uint64_t> seeds;
  for (const RunRequest& request : asked_) {
    EXPECT_EQ(request.following, wire::Following::kNothing);
    EXPECT_EQ(request.schedule.points, failing.schedule.points);
    EXPECT_EQ(*request.marks, failing.schedule.marks);
    if (&request != &asked_[0]) {
      EXPECT_EQ(request.schedule.then.kind, wire::RuleKind::kRandom);
    }
    seeds.insert(request.schedule.then.seed);
  }
  EXPECT_EQ(seeds.size(), 20u);
}

TEST_F(OrderCheckTest, RunsThatSayNothingLeaveItOpen) {
  const auto order = check(failed_run(), [](const RunRequest&) {
    unravel::Run run = passed_run();
    run.summary.outcome = Outcome::kUnresolved;
    return run;
  });

  ASSERT_TRUE(order);
  EXPECT_TRUE(order->depends) << "or it is not known";
  EXPECT_EQ(order->schedules, 0u);
  EXPECT_EQ(asked_.size(), 40u);
}

TEST_F(OrderCheckTest, EndsWithWhatMayBeSpent) {
  const auto order = check(
      failed_run(), [](const RunRequest&) { return failed_run(); }, /*most_runs=*/5);

  ASSERT_TRUE(order);
  EXPECT_TRUE(order->depends) << "or it is not known";
  EXPECT_EQ(order->schedules, 5u);
}

TEST_F(OrderCheckTest, OneThreadHasNoOrder) {
  unravel::Run failing = failed_run();
  failing.summary.threads = 1;

  const auto order = check(failing, [](const RunRequest&) { return failed_run(); });

  ASSERT_TRUE(order);
  EXPECT_TRUE(order->one_thread);
  EXPECT_FALSE(order->depends);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(OrderCheckTest, PassesAnErrorOn) {
  const auto order = check(failed_run(), [](const RunRequest&) -> Result<unravel::Run> {
    return user_error("no program");
  });

  ASSERT_FALSE(order);
  EXPECT_EQ(order.error().what, "no program");
}

}  // namespace
}  // namespace unravel
