/// A kept run once more, by its own schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "data/judging.hpp"
#include "data/replayed.hpp"
#include "investigate/kept_trace.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

struct ReplayRequest {
  Judging judging;
  std::string run;                           // empty: the latest that failed
  std::string store;                         // a directory
  std::optional<wire::Following> following;  // nothing: strictly
  bool wants_table = false;                  // of its steps
  std::optional<TraceRequest> trace;         // keep one of the run
  EnvironmentOf environment = EnvironmentOf::kRecording;
};

class Replay {
 public:
  static Result<std::unique_ptr<Replay>> prepare(const ReplayRequest& request, Observer& observer);

  /// Follows the schedule; on another build, and if that does not bring the failure back, tries its
  /// portable constraints.
  Result<Replayed> perform();
  /// Repeats a run that was reproduced, with a trace that is kept.
  Result<void> keep_trace(Replayed& replayed);
  /// Copies what the run wrote; how many files.
  Result<std::uint64_t> keep_files(const std::string& directory) {
    return lease_->runner().keep_files(directory);
  }

 private:
  Replay(const ReplayRequest& request, OpenedRun opened, Observer& observer)
      : request_(request), opened_(std::move(opened)), observer_(observer) {}

  [[nodiscard]] const Run& before() const { return opened_.stored.run; }
  [[nodiscard]] std::string difference(const Run& now) const;
  Result<void> try_with_constraints(Replayed& replayed);
  void complete(Replayed& replayed) const;

  ReplayRequest request_;
  OpenedRun opened_;
  Observer& observer_;
  wire::Following following_ = wire::Following::kStrict;
  bool is_other_build_ = false;
  std::unique_ptr<RunnerLease> lease_;
};

}  // namespace unravel
