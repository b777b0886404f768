#include "investigate/replay.hpp"

#include "data/failure_match.hpp"
#include "data/served_inputs.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/divergence.hpp"
#include "investigate/kept_failure.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/repetition.hpp"
#include "investigate/snapshot.hpp"
#include "run/environment.hpp"
#include "run/expected_output.hpp"

namespace unravel {

Result<std::unique_ptr<Replay>> Replay::prepare(const ReplayRequest& request, Observer& observer) {
  Result<OpenedRun> opened = open_run(request.run, request.store);
  if (!opened) return fail(opened.error());
  std::unique_ptr<Replay> replay(new Replay(request, std::move(*opened), observer));
  replay->following_ = request.following.value_or(wire::Following::kStrict);
  const Result<void> same = check_same_build(replay->opened_);
  replay->is_other_build_ = !same;
  if (!same && replay->following_ == wire::Following::kStrict) return fail(same.error());
  if (request.hold) {
    const Result<void> exists = check_moment(replay->before(), *request.hold);
    if (!exists) return fail(exists.error());
    // A run in a debugger takes as long as its user.
    replay->request_.judging.timeout = std::chrono::hours(24 * 365);
  }
  if (request.inputs == InputsOf::kRecording) {
    const auto recorded = replay->opened_.store.inputs(replay->before().id);
    const bool is_strict = replay->following_ == wire::Following::kStrict;
    const auto log = recorded ? usable(*recorded) : nullptr;
    replay->has_recorded_inputs_ = log && (is_strict || as_served(log));
    replay->has_recorded_files_ = replay->has_recorded_inputs_ && log->has_calls();
  }
  Result<std::unique_ptr<RunnerLease>> lease =
      start_like(replay->opened_, replay->request_.judging, observer, request.environment,
                 request.inputs, replay->following_);
  if (!lease) return fail(lease.error());
  replay->lease_ = std::move(*lease);
  return replay;
}

/// Empty if the run was reproduced. A rebuilt program may take other steps to the same failure.
std::string Replay::difference(const Run& now) const {
  std::string exactly = unravel::difference(before(), now);
  if (exactly.empty() || following_ != wire::Following::kLenient) return exactly;
  if (before().summary.outcome != now.summary.outcome) return exactly;
  if (!before().failure) return {};
  const bool is_same = is_other_build_ ? is_same_failure(*before().failure, *now.failure)
                                       : before().failure->key == now.failure->key;
  return is_same ? std::string() : exactly;
}

std::string Replay::output_difference(const Run& now) const {
  // Children write to the same place. They are not controlled, and may be ended early. Warnings
  // tell what else is not as it was, such as a limit.
  if (!has_recorded_inputs_ || now.summary.children || !now.warnings.empty()) return {};
  // A packed run may lack most of its environment.
  if (opened_.is_packed) return {};
  const Result<std::string> recorded = opened_.store.output(before().id);
  if (!recorded) return {};
  const std::string differs = first_difference(*recorded, now.output);
  return differs.empty() ? differs : "the program prints something else: " + differs;
}

Result<void> Replay::try_with_constraints(Replayed& replayed) {
  replayed.reproduced_by = replayed.reproduced() ? ReproducedBy::kSchedule : ReproducedBy::kNothing;
  if (replayed.reproduced() || !before().failure || before().constraints.empty()) return {};
  Result<BroughtBack> tried =
      try_constraints(opened_, request_.judging, request_.environment, observer_);
  if (!tried) return fail(tried.error());
  if (tried->run) {
    replayed.now = std::move(*tried->run);
    replayed.differs.clear();
    replayed.reproduced_by = ReproducedBy::kConstraints;
  }
  replayed.with_constraints = std::move(*tried);
  return {};
}

/// Copies what the replay shares with the stored run.
void Replay::complete(Replayed& replayed) const {
  Run& now = replayed.now;
  now.id = before().id;
  now.unverified = before().unverified && !replayed.reproduced();
  now.strategy = before().strategy;
  now.summary.seed = before().summary.seed;
  if (replayed.reproduced() && !is_other_build_) {
    if (now.steps.empty()) now.steps = before().steps;
    // The cycle is the same; the stored detail has the names of the table.
    if (now.failure && now.failure->kind == FailureKind::kDeadlock) {
      now.failure->detail = before().failure->detail;
    }
  }
  // The program passed, but the replay did not reproduce the stored run.
  const bool is_strict = following_ == wire::Following::kStrict;
  if (is_strict && !replayed.reproduced() && now.summary.outcome == Outcome::kPassed) {
    now.summary.outcome = Outcome::kDiverged;
    now.explanation = replayed.differs;
  }
}

/// Holds the run for a debugger, if that was asked for.
Result<Run> Replay::follow(RunRequest request) {
  if (!request_.hold) return lease_->get().run(request);
  RunForDebugger held(*request_.hold, request_.on_held, observer_);
  request.table = false;
  request.debugger = &held;
  Result<Run> now = lease_->get().run(request);
  if (now && !held.was_held()) {
    return user_error(print(*request_.hold) + " was never reached in run " + before().id, {},
                      "`unravel show --rows all " + before().id + "` shows its clocks");
  }
  return now;
}

Result<Replayed> Replay::perform() {
  RunRequest request;
  request.schedule = before().schedule;
  request.following = following_;
  fit_to_build(request.schedule, before().program, following_, observer_);
  // Objects are numbered by their first event, as in the stored run.
  request.trace = wire::TraceLevel::kSync;
  request.table = request_.wants_table && before().steps.empty();
  Result<Run> now = follow(std::move(request));
  if (!now) return fail(now.error());
  // Earlier versions stored runs with one thread as passed.
  RunSummary& recorded = opened_.stored.run.summary;
  if (recorded.outcome == Outcome::kPassed && recorded.threads == 1 &&
      now->summary.outcome == Outcome::kUnresolved && now->summary.threads == 1) {
    recorded.outcome = Outcome::kUnresolved;
  }
  Replayed replayed;
  replayed.run = before().id;
  replayed.had_failed = before().failure.has_value();
  replayed.is_other_build = is_other_build_;
  replayed.has_recorded_inputs = has_recorded_inputs_;
  replayed.now = std::move(*now);
  replayed.differs = difference(replayed.now);
  if (replayed.reproduced()) replayed.differs = output_difference(replayed.now);
  replayed.schedule_file = opened_.store.schedule_file(before().id).string();
  if (is_other_build_) {
    const Result<void> tried = try_with_constraints(replayed);
    if (!tried) return fail(tried.error());
  }
  complete(replayed);
  if (!replayed.reproduced() && request_.environment == EnvironmentOf::kNow) {
    const auto recorded_in = opened_.store.environment(before().id);
    if (recorded_in && *recorded_in) {
      replayed.changed_variables = different_variables(**recorded_in, current_environment());
    }
  }
  if (!replayed.reproduced() && following_ == wire::Following::kStrict) {
    replayed.divergence = explain_divergence(before(), replayed.now, replayed.differs,
                                             {.has_recorded_inputs = has_recorded_inputs_,
                                              .has_recorded_files = has_recorded_files_,
                                              .changed_variables = replayed.changed_variables});
  }
  return replayed;
}

Result<void> Replay::keep_trace(Replayed& replayed) {
  if (!request_.trace || !replayed.reproduced()) return {};
  const Result<std::uint64_t> events = unravel::keep_trace(opened_, lease_->get(), *request_.trace);
  if (!events) return fail(events.error());
  replayed.traced_events = *events;
  replayed.trace_file = opened_.store.trace_file(before().id).string();
  return {};
}

}  // namespace unravel
