#include "investigate/recorded_inputs.hpp"

#include <algorithm>

#include "investigate/lease.hpp"
#include "investigate/repetition.hpp"

namespace unravel {

namespace {

// A peer may answer in other portions now and then. Chosen by hand.
constexpr int kTries = 3;

/// Repeats the run strictly, up to `tries` times. Returns the inputs of the first repetition that
/// takes the same steps, those that it recorded or those that it got; null: none does.
Result<std::shared_ptr<const InputLog>> repeat(const Run& run, const RunnerRequest& request,
                                               int tries, Observer& observer) {
  Result<std::unique_ptr<RunnerLease>> lease = lease_runner(request, observer);
  if (!lease) return fail(lease.error());
  for (int i = 0; i < tries; ++i) {
    RunRequest once;
    once.schedule = run.schedule;
    once.following = wire::Following::kStrict;
    Result<Run> again = (*lease)->get().run(once);
    if (!again) return fail(again.error());
    if (difference(run, *again).empty()) return request.inputs ? request.inputs : again->inputs;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const InputLog> usable(std::shared_ptr<const InputLog> log) {
  return log && log->incomplete.empty() && !log->words.empty() ? std::move(log) : nullptr;
}

bool asks_outside(const Schedule& schedule) {
  return std::any_of(schedule.choices.begin(), schedule.choices.end(), [](const auto& choice) {
    return choice.kind == wire::ChoiceKind::kExternal || choice.kind == wire::ChoiceKind::kSignal;
  });
}

RunnerRequest with_inputs_of(const Run& run, RunnerRequest request) {
  request.like = &run.schedule;
  request.inputs = usable(run.inputs);
  request.records_inputs = false;
  request.environment = run.environment;
  request.client_end = run.client;
  return request;
}

Result<Verification> verify_with_inputs(Run& run, const RunnerRequest& request, const RunOnce& live,
                                        Observer& observer) {
  if (!usable(run.inputs)) return verify(run, live);
  const Schedule like = run.schedule;
  RunnerRequest replaying = with_inputs_of(run, request);
  replaying.like = &like;
  Result<std::unique_ptr<RunnerLease>> lease = lease_runner(replaying, observer);
  if (!lease) return fail(lease.error());
  Result<Verification> verified =
      verify(run, [&](const RunRequest& once) { return (*lease)->get().run(once); });
  if (!verified || verified->verified() || run.client) return verified;
  // A record from which the run does not come back is worse than none.
  run.inputs = nullptr;
  return verify(run, live);
}

Result<void> drop_unless_repeatable(Run& run, const RunnerRequest& request, Observer& observer) {
  if (!usable(run.inputs) || !asks_outside(run.schedule)) return {};
  const auto again = repeat(run, with_inputs_of(run, request), 1, observer);
  if (!again) return fail(again.error());
  if (*again) return {};
  run.inputs = nullptr;
  observer.warn("the inputs of this run were not kept: a replay from them takes other steps");
  return {};
}

Result<void> record_inputs(Run& run, RunnerRequest request, Observer& observer) {
  request.like = &run.schedule;
  request.environment = run.environment;
  request.records_inputs = true;
  request.catch_calls = wire::CatchCalls::kIfPossible;
  Result<std::shared_ptr<const InputLog>> recorded = repeat(run, request, kTries, observer);
  if (!recorded) return fail(recorded.error());
  const std::shared_ptr<const InputLog> log = usable(std::move(*recorded));
  if (!log) return {};
  // A record from which the run does not come back is worse than none.
  request.records_inputs = false;
  request.inputs = log;
  const Result<std::shared_ptr<const InputLog>> replayed = repeat(run, request, 1, observer);
  if (!replayed) return fail(replayed.error());
  if (*replayed) run.inputs = log;
  return {};
}

}  // namespace unravel
