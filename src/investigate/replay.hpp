/// Repeats a stored run by its own schedule: for `replay`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "data/judging.hpp"
#include "data/replayed.hpp"
#include "investigate/kept_trace.hpp"
#include "investigate/run_for_debugger.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

struct ReplayRequest {
  Judging judging;
  RunName run;                               // empty: the latest failure
  std::string store;                         // a directory
  std::optional<wire::Following> following;  // nothing: strictly
  bool wants_table = false;                  // make the table of its steps
  std::optional<TraceRequest> trace;         // store a trace of the run
  EnvironmentOf environment = EnvironmentOf::kRecording;
  InputsOf inputs = InputsOf::kRecording;
  // Stop the run here until a debugger is attached, and tell where it is; nothing: do not.
  std::optional<NamedStop> hold;
  std::function<void(const HeldAt&)> on_held;
};

class Replay {
 public:
  static Result<std::unique_ptr<Replay>> prepare(const ReplayRequest& request, Observer& observer);

  /// Follows the schedule. If this does not reproduce the failure on another build, tries its
  /// portable constraints.
  Result<Replayed> perform();
  /// Repeats a reproduced run with a trace, and stores the trace.
  Result<void> keep_trace(Replayed& replayed);
  /// Copies the files that the run wrote. Returns their number.
  Result<std::uint64_t> keep_files(const std::string& directory) {
    return lease_->get().keep_files(directory);
  }

 private:
  Replay(const ReplayRequest& request, OpenedRun opened, Observer& observer)
      : request_(request), opened_(std::move(opened)), observer_(observer) {}

  [[nodiscard]] const Run& before() const { return opened_.stored.run; }
  [[nodiscard]] std::string difference(const Run& now) const;
  /// How the standard output of a replay with recorded inputs differs; empty: it does not.
  [[nodiscard]] std::string output_difference(const Run& now) const;
  Result<Run> follow(RunRequest request);
  Result<void> try_with_constraints(Replayed& replayed);
  void complete(Replayed& replayed) const;

  ReplayRequest request_;
  OpenedRun opened_;
  Observer& observer_;
  wire::Following following_ = wire::Following::kStrict;
  bool is_other_build_ = false;
  bool has_recorded_inputs_ = false;
  bool has_recorded_files_ = false;
  std::unique_ptr<RunnerLease> lease_;
};

}  // namespace unravel
