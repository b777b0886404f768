/// A worker without a program: a function answers what is asked of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "run/pool.hpp"

namespace unravel {

using Answer = std::function<Result<Run>(const RunRequest&)>;

class FakeRunner final : public Runner {
 public:
  explicit FakeRunner(Answer answer) : answer_(std::move(answer)) {}

  Result<Run> run(const RunRequest& request) override { return answer_(request); }
  Result<BatchResult> run_batch(const BatchRequest&) override {
    return user_error("no batch is expected");
  }
  void interrupt() override {}
  [[nodiscard]] bool forks() const override { return true; }
  [[nodiscard]] std::string why_not_forking() const override { return {}; }
  void set_marks(std::vector<wire::Site> marks) override { marks_.push_back(std::move(marks)); }

  /// All that were set, one after the other.
  [[nodiscard]] const std::vector<std::vector<wire::Site>>& marks() const { return marks_; }

 private:
  Answer answer_;
  std::vector<std::vector<wire::Site>> marks_;
};

/// One worker of that kind.
struct FakePool {
  explicit FakePool(Answer answer)
      : pool(
            [answer = std::move(answer)](const RunnerOptions&) -> Result<std::unique_ptr<Runner>> {
              return std::make_unique<FakeRunner>(answer);
            },
            {}, 1) {}

  Pool pool;
};

/// A run of two threads that passed.
inline Run passed_run() {
  Run run;
  run.summary.threads = 2;
  run.summary.schedule_hash = 1;
  run.summary.processor_seconds = 0.5;
  return run;
}

/// One that failed by an assertion.
inline Run failed_run(const std::string& key = "assert: main account.c:41") {
  Run run = passed_run();
  run.summary.outcome = Outcome::kFailed;
  run.summary.failure = FailureKind::kAssert;
  run.summary.schedule_hash = 2;
  run.failure.emplace();
  run.failure->kind = FailureKind::kAssert;
  run.failure->key = key;
  run.program = {.arguments = {"./account"}, .path = "/bin/account", .directory = "/"};
  return run;
}

}  // namespace unravel
