/// Runs of a program: one, by a rule, a schedule or a tick; or many until one fails.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "data/judging.hpp"
#include "data/ran.hpp"
#include "investigate/points_learner.hpp"
#include "investigate/runner_lease.hpp"
#include "store/store.hpp"

namespace unravel {

struct RunsRequest {
  Program program;
  Judging judging;
  std::optional<Schedule> schedule;  // to follow; else by the rule, or by the tick
  std::optional<wire::Following> following;
  wire::RuleKind rule = wire::RuleKind::kRandom;
  std::optional<double> probability;
  std::optional<std::chrono::milliseconds> tick;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> runs;  // nothing: one
  bool fork_server = true;
  bool sandbox = true;
  std::string store;  // a directory
  std::string input;
};

class Runs {
 public:
  static Result<std::unique_ptr<Runs>> prepare(RunsRequest request, Observer& observer);

  /// Makes them. A failure is replayed and kept. What an error comes after is in the result.
  Result<Ran> perform();

  /// Copies what the last run wrote; how many files.
  Result<std::uint64_t> keep_files(const std::string& directory) {
    return lease_->runner().keep_files(directory);
  }

 private:
  Runs(RunsRequest request, Store store, Observer& observer)
      : request_(std::move(request)), store_(std::move(store)), observer_(observer) {}

  Result<Ran> run_once(RunRequest request);
  Result<Ran> run_many(std::uint64_t seed);
  Ran conclude(Run run);
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
  std::optional<PointsLearner> learner_;  // if the set of points is `auto`
};

}  // namespace unravel
