/// What a command asks of a runner or a pool, and the options that follow from it.
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

/// The settings in `options`; those that it does not contain are taken from `otherwise`.
RunSettings settings_from(const Judging& options, const RunSettings& otherwise);

/// The points of a new run: those in `options`; otherwise `auto` if the program has hooks. Warns if
/// the program was not built for all of them.
Result<wire::PointSet> points_for(const Program& program, const Judging& options,
                                  Observer& observer);

/// The settings of a new run.
RunSettings default_settings();

struct RunnerRequest {
  Program program;
  RunSettings settings;
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  wire::PointSet points = wire::PointSet::kSync;
  std::filesystem::path store;
  std::string input;
  const Schedule* like = nullptr;  // take start time, CPU count and sandbox from it
  bool sandbox = true;
  std::optional<int> cpu = {};                               // nothing: any
  std::optional<std::uint64_t> most_output = {};             // bytes to store of each stream
  std::shared_ptr<const Environment> environment = nullptr;  // null: that of this command
  bool records_inputs = false;
  wire::CatchCalls catch_calls = wire::CatchCalls::kNo;
  std::optional<std::uint64_t> most_input = {};      // bytes of inputs to record
  std::shared_ptr<const InputLog> inputs = nullptr;  // null: they come from outside
  // The content that replaces the file of the settings, which may be missing here.
  std::optional<std::string> expected_output = {};
  std::string stand_ins = {};                // see RunnerOptions; they need a sandbox
  bool forces_sandbox = false;               // even if the run that it is like had none
  std::optional<ClientEnd> client_end = {};  // with `inputs`: of the run that got them
};

/// The options for runners. Files that they need are written to `scratch`.
Result<RunnerOptions> runner_options(const RunnerRequest& request, const Scratch& scratch);

}  // namespace unravel
