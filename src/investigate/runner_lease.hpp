/// A program ready to be run for a command: options, scratch directory, runner, observer.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "data/judging.hpp"
#include "data/settings.hpp"
#include "investigate/observer.hpp"
#include "run/runner.hpp"
#include "store/scratch.hpp"

namespace unravel {

/// What the options ask for; what they leave out is as in `otherwise`.
RunSettings settings_from(const Judging& options, const RunSettings& otherwise);

/// Where a new run may switch threads: as asked for, or wherever the program has hooks.
/// Says so if the program was built for less.
Result<wire::PointSet> points_for(const Program& program, const Judging& options,
                                  Observer& observer);

/// What a new run is limited and judged by.
RunSettings default_settings();

struct RunnerRequest {
  Program program;
  RunSettings settings;
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  wire::PointSet points = wire::PointSet::kSync;
  std::filesystem::path store;
  std::string input;
  const Schedule* like = nullptr;  // start time, CPU count and sandbox are as in this one
  bool sandbox = true;
  std::optional<int> cpu = {};                               // nothing: any
  std::optional<std::uint64_t> most_output = {};             // that is kept of each stream
  std::shared_ptr<const Environment> environment = nullptr;  // null: this command's own
};

/// What runners of it are started with; files that they need lie in `scratch`.
Result<RunnerOptions> runner_options(const RunnerRequest& request, const Scratch& scratch);

class RunnerLease {
 public:
  static Result<std::unique_ptr<RunnerLease>> start(RunnerRequest request, Observer& observer);
  ~RunnerLease() { observer_.on_interruption(nullptr); }

  Runner& runner() { return *runner_; }

 private:
  RunnerLease(Scratch scratch, Observer& observer)
      : scratch_(std::move(scratch)), observer_(observer) {}

  Scratch scratch_;
  Observer& observer_;
  std::unique_ptr<Runner> runner_;
};

}  // namespace unravel
