/// The recorded inputs of runs: which runs need them, and how a run of a hunt gets them.
#pragma once

#include <memory>

#include "data/input_log.hpp"
#include "investigate/runner_request.hpp"
#include "investigate/verification.hpp"

namespace unravel {

/// The recorded inputs that a strict replay can use; null if there are none.
std::shared_ptr<const InputLog> usable(std::shared_ptr<const InputLog> log);

/// Whether the run got anything from outside while its threads ran.
bool asks_outside(const Schedule& schedule);

/// The same runs as `request` describes, with what came from outside in this one. Its client is not
/// started again. The result points to the schedule of `run`.
RunnerRequest with_inputs_of(const Run& run, RunnerRequest request);

/// Verifies a failing run. The replays get its own inputs, if they were recorded: what was outside
/// may have gone. Otherwise `live` makes them.
Result<Verification> verify_with_inputs(Run& run, const RunnerRequest& request, const RunOnce& live,
                                        Observer& observer);

/// For a run that passed and was recorded: replays it once from its inputs, and drops them if it
/// does not come back.
Result<void> drop_unless_repeatable(Run& run, const RunnerRequest& request, Observer& observer);

/// Hunts record no inputs, and `run` does not catch system calls. Repeats a verified run, whose
/// runner `request` describes, and gives it the inputs of the first repetition that takes the same
/// steps. Whatever is caught, it cannot change the verdict on the run. A run is left without if its
/// peer does not do the same again, or if it does not come back from the record.
Result<void> record_inputs(Run& run, RunnerRequest request, Observer& observer);

}  // namespace unravel
