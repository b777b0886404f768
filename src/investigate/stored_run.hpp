/// A run from the store, and a runner with the same conditions.
#pragma once

#include <memory>
#include <string>

#include "investigate/lease.hpp"
#include "store/store.hpp"

namespace unravel {

struct OpenedRun {
  Store store;
  StoredRun stored;
};

/// `name` is an id, its first characters, or empty for the latest failure.
Result<OpenedRun> open_run(const std::string& name, const std::string& store);

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
