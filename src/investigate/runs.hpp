/// Runs a program: once, by a rule, a schedule or a tick; or many times until it fails.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "data/judging.hpp"
#include "data/ran.hpp"
#include "investigate/lease.hpp"
#include "investigate/points_learner.hpp"
#include "store/store.hpp"

namespace unravel {

struct RunsRequest {
  Program program;
  Judging judging;
  std::optional<Schedule> schedule;  // to follow; nothing: use the rule or the tick
  std::optional<wire::Following> following;
  wire::RuleKind rule = wire::RuleKind::kRandom;
  std::optional<double> probability;
  std::optional<std::chrono::milliseconds> tick;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> runs;  // nothing: one run
  bool fork_server = true;
  bool sandbox = true;
  std::string store;  // a directory
  std::string input;
  bool records_inputs = true;  // of a single run
  wire::CatchCalls catch_calls = wire::CatchCalls::kIfPossible;
  std::optional<std::uint64_t> most_input;  // bytes of them
  ClientCommand client;                     // to start beside each run
};

class Runs {
 public:
  static Result<std::unique_ptr<Runs>> prepare(RunsRequest request, Observer& observer);

  /// Makes the runs. Verifies and stores a failure. The result contains errors that came
  /// afterwards.
  Result<Ran> perform();

  /// Copies the files that the last run wrote. Returns their number.
  Result<std::uint64_t> keep_files(const std::string& directory) {
    return lease_->get().keep_files(directory);
  }

 private:
  Runs(RunsRequest request, Store store, Observer& observer)
      : request_(std::move(request)), store_(std::move(store)), observer_(observer) {}

  Result<Ran> run_once(RunRequest request);
  Result<Ran> run_many(std::uint64_t seed);
  Ran conclude(Run run);
  /// Whether the run itself catches system calls. Otherwise they are caught when a failure is
  /// repeated, so that they cannot be what it fails by.
  [[nodiscard]] bool catches_at_once() const {
    return request_.tick || request_.catch_calls == wire::CatchCalls::kYes;
  }
  [[nodiscard]] bool records_afterwards(const Run& run) const;
  Result<Verification> verify_run(Run& run);
  [[nodiscard]] RunnerRequest runner_request() const;
  Ran no_run() const;
  [[nodiscard]] wire::Rule rule(std::uint64_t seed) const;

  RunsRequest request_;
  Store store_;
  Observer& observer_;
  RunSettings settings_;
  wire::PointSet points_ = wire::PointSet::kSync;
  wire::Timeouts timeouts_ = wire::Timeouts::kNear;
  wire::Following following_ = wire::Following::kNothing;
  std::unique_ptr<RunnerLease> lease_;
  std::optional<PointsLearner> learner_;  // if the points are `auto`
};

}  // namespace unravel
