#include "investigate/allowance.hpp"

#include <gtest/gtest.h>

#include "fake_runner.hpp"
#include "recording_observer.hpp"

namespace unravel {
namespace {

using std::chrono::hours;
using std::chrono::steady_clock;

class AllowanceTest : public testing::Test {
 protected:
  void make_runs(int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(fake_.pool.submit(RunRequest()).get());
  }

  FakePool fake_{[](const RunRequest&) { return passed_run(); }};  // half a second each
  RecordingObserver observer_;
};

TEST_F(AllowanceTest, LastsForItsRuns) {
  const Allowance allowance(fake_.pool, {.runs = 2, .processor_time = hours(1), .deadline = {}},
                            observer_);

  make_runs(1);
  EXPECT_TRUE(allowance.is_left());
  make_runs(1);
  EXPECT_FALSE(allowance.is_left());
  EXPECT_EQ(allowance.runs(), 2u);
  EXPECT_EQ(allowance.most_runs(), 2u);
}

TEST_F(AllowanceTest, LastsForItsProcessorTime) {
  const Allowance allowance(
      fake_.pool, {.runs = 100, .processor_time = std::chrono::seconds(1), .deadline = {}},
      observer_);

  make_runs(1);
  EXPECT_TRUE(allowance.is_left());
  make_runs(1);
  EXPECT_FALSE(allowance.is_left());
}

TEST_F(AllowanceTest, DoesNotCountWhatWasSpentBefore) {
  make_runs(3);
  const Allowance allowance(fake_.pool,
                            {.runs = 1, .processor_time = std::chrono::seconds(1), .deadline = {}},
                            observer_);

  EXPECT_TRUE(allowance.is_left());
  EXPECT_EQ(allowance.runs(), 0u);
}

TEST_F(AllowanceTest, EndsAtTheUsersDeadlineOnly) {
  const auto until = [&](std::optional<steady_clock::time_point> deadline) {
    return Allowance(fake_.pool, {.runs = 1, .processor_time = hours(1), .deadline = deadline},
                     observer_);
  };

  EXPECT_TRUE(until(std::nullopt).is_left());
  EXPECT_TRUE(until(steady_clock::now() + hours(1)).is_left());
  EXPECT_FALSE(until(steady_clock::now() - hours(1)).is_left());
  EXPECT_TRUE(until(steady_clock::now() - hours(1)).is_past_deadline());
  EXPECT_FALSE(until(std::nullopt).is_past_deadline());
}

TEST_F(AllowanceTest, EndsWithAnInterruption) {
  const Allowance allowance(fake_.pool, {.runs = 1, .processor_time = hours(1), .deadline = {}},
                            observer_);

  observer_.interrupt();

  EXPECT_FALSE(allowance.is_left());
  EXPECT_FALSE(allowance.is_past_deadline());
}

}  // namespace
}  // namespace unravel
