#include "run/pool.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

/// Answers every request with its own seed or ordinal.
class EchoRunner final : public Runner {
 public:
  Result<Run> run(const RunRequest& request) override {
    if (interrupted_) return user_error("interrupted");
    Run run;
    run.summary.seed = request.schedule.then.seed;
    run.summary.processor_seconds = 0.25;
    return run;
  }
  Result<BatchResult> run_batch(const BatchRequest& request) override {
    if (interrupted_) return user_error("interrupted");
    BatchResult result;
    result.runs.push_back({.ordinal = request.first_ordinal});
    return result;
  }
  void interrupt() override { interrupted_ = true; }
  bool forks() const override { return true; }
  std::string why_not_forking() const override { return {}; }

 private:
  std::atomic<bool> interrupted_{false};
};

Result<std::unique_ptr<Runner>> start_echo(const RunnerOptions&) {
  return std::make_unique<EchoRunner>();
}

TEST(Pool, AnswersEachRequestThroughItsOwnFuture) {
  Pool pool(start_echo, {}, 2);
  std::vector<std::future<Result<BatchResult>>> batches;

  for (std::uint64_t i = 0; i < 100; ++i) batches.push_back(pool.submit({.first_ordinal = i}));
  RunRequest request;
  request.schedule.then.seed = 7;
  auto run = pool.submit(request);

  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(batches[i].get()->runs[0].ordinal, i);
  EXPECT_EQ(run.get()->summary.seed, 7u);
}

TEST(Pool, GivesEachWorkerItsOwnCpuAndAllOfThemOneClock) {
  std::mutex mutex;
  std::vector<RunnerOptions> seen;
  const auto start = [&](const RunnerOptions& options) {
    const std::lock_guard lock(mutex);
    seen.push_back(options);
    return start_echo(options);
  };
  Pool pool(start, {}, 1);

  pool.submit(BatchRequest{}).get().value();

  ASSERT_EQ(seen.size(), 1u);
  EXPECT_TRUE(seen[0].cpu.has_value());
  EXPECT_TRUE(seen[0].start_realtime.has_value());
  EXPECT_TRUE(seen[0].start_monotonic.has_value());
  EXPECT_GE(seen[0].cpu_count.value(), 1u);
}

TEST(Pool, CountsWhatItsRunsHaveCost) {
  Pool pool(start_echo, {}, 2);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pool.submit(RunRequest()).get());
  ASSERT_TRUE(pool.submit(BatchRequest()).get());

  EXPECT_EQ(pool.spent().runs, 5u);
  EXPECT_DOUBLE_EQ(pool.spent().processor_seconds, 1.0);
}

TEST(Pool, TellsWhyARunnerCouldNotStart) {
  Pool pool(
      [](const RunnerOptions&) -> Result<std::unique_ptr<Runner>> {
        return user_error("no runtime");
      },
      {}, 1);

  EXPECT_EQ(pool.submit(BatchRequest{}).get().error().what, "no runtime");
  EXPECT_EQ(pool.submit(RunRequest{}).get().error().what, "no runtime");
}

TEST(Pool, AnswersWhatComesAfterAnInterruptionToo) {
  Pool pool(start_echo, {}, 2);

  pool.interrupt();

  EXPECT_EQ(pool.submit(BatchRequest{}).get().error().what, "interrupted");
}

}  // namespace
}  // namespace unravel
