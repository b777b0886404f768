/// A run from the store or from a packed file, and a runner with the same conditions.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "investigate/lease.hpp"
#include "investigate/recorded_files.hpp"
#include "investigate/run_name.hpp"
#include "store/store.hpp"

namespace unravel {

struct OpenedRun {
  Store store;
  StoredRun stored;
  RunName name = {};
  // Of a packed run:
  bool is_packed = false;
  bool has_program = false;  // the file has the program and its libraries
  std::optional<std::string> expected_output = {};
  // What its program is to see at recorded paths; null: all is as it is on this machine. Made when
  // the program is to be started.
  mutable std::shared_ptr<RecordedFiles> files = nullptr;
};

/// Opens a run of the store, or a packed one. Nothing is written, unless another program is to be
/// used.
Result<OpenedRun> open_run(const RunName& name, const std::string& store);

/// An error if the program or a library is not the one that the run was recorded with: its clocks
/// would mean other positions.
Result<void> check_same_build(const OpenedRun& opened);

/// The program, directory, environment, input, start time and limits of the stored run, except for
/// what `judge` and `environment` change. The request points to the schedule of `opened`.
Result<RunnerRequest> request_like(const OpenedRun& opened, const Judging& judge,
                                   EnvironmentOf environment = EnvironmentOf::kRecording);

/// Leases a runner for that request, for strict replays. Their inputs are the recorded ones, unless
/// `inputs` says otherwise or there are none. If `following` is not strict, they come by stream.
Result<std::unique_ptr<RunnerLease>> start_like(
    const OpenedRun& opened, const Judging& judge, Observer& observer,
    EnvironmentOf environment = EnvironmentOf::kRecording, InputsOf inputs = InputsOf::kRecording,
    wire::Following following = wire::Following::kStrict);

}  // namespace unravel
