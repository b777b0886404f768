/// A run from the store, and a worker that repeats its conditions: for `replay` and `show`.
#pragma once

#include <memory>
#include <string>

#include "investigate/runner_lease.hpp"
#include "store/store.hpp"

namespace unravel {

struct OpenedRun {
  Store store;
  StoredRun stored;
};

/// `name` is an id, the beginning of one, or empty for the latest failing run.
Result<OpenedRun> open_run(const std::string& name, const std::string& store);

/// Program, directory, environment, input, start time and limits as they were, but for what `judge`
/// and `environment` say. The request names the schedule of `opened`.
Result<RunnerRequest> request_like(const OpenedRun& opened, const Judging& judge,
                                   EnvironmentOf environment = EnvironmentOf::kRecording);

/// A worker for it.
Result<std::unique_ptr<RunnerLease>> start_like(
    const OpenedRun& opened, const Judging& judge, Observer& observer,
    EnvironmentOf environment = EnvironmentOf::kRecording);

}  // namespace unravel
