/// `unravel replay`: a kept run once more, by its own schedule.
#include "base/files.hpp"
#include "cli/build_ids.hpp"
#include "cli/check_trial.hpp"
#include "cli/commands.hpp"
#include "cli/keep_files.hpp"
#include "cli/reproduce.hpp"
#include "cli/stored_run.hpp"
#include "cli/tell_run.hpp"
#include "cli/trace.hpp"
#include "data/failure_match.hpp"
#include "report/failure_text.hpp"
#include "run/environment.hpp"

namespace unravel {

namespace {

/// A replay as it goes: the run that was kept, and the one that was made of it.
struct Replay {
  OpenedRun& opened;
  const ReplayOptions& options;
  const Console& console;
  wire::Following following = wire::Following::kStrict;
  bool is_other_build = false;
  Run now = {};
  std::string differs = {};                          // empty: reproduced
  std::optional<ReproducedBy> reproduced_by = {};    // on another build
  std::optional<BroughtBack> with_constraints = {};  // if they were tried

  const Run& before() const { return opened.stored.run; }
};

/// Empty if it is the same run. A rebuilt program takes other steps to the same end.
std::string difference(const Replay& replay) {
  const Run& before = replay.before();
  std::string exactly = difference(before, replay.now);
  if (exactly.empty() || replay.following != wire::Following::kLenient) return exactly;
  if (before.summary.outcome != replay.now.summary.outcome) return exactly;
  if (!before.failure) return {};
  const Failure& failure = *replay.now.failure;
  const bool is_same = replay.is_other_build ? is_same_failure(*before.failure, failure)
                                             : before.failure->key == failure.key;
  return is_same ? std::string() : exactly;
}

/// The schedule alone fits another build badly: what made the run fail is tried as constraints.
Result<void> try_with_constraints(Replay& replay, Interruption& interruption) {
  replay.reproduced_by = replay.differs.empty() ? ReproducedBy::kSchedule : ReproducedBy::kNothing;
  const Run& before = replay.before();
  if (replay.differs.empty() || !before.failure || before.constraints.empty()) return {};
  Result<BroughtBack> tried =
      try_constraints(replay.opened, replay.options.judge, replay.options.environment,
                      replay.console, interruption);
  if (!tried) return fail(tried.error());
  if (tried->run) {
    replay.now = std::move(*tried->run);
    replay.differs.clear();
    replay.reproduced_by = ReproducedBy::kConstraints;
  }
  replay.with_constraints = std::move(*tried);
  return {};
}

/// What the replay shares with the run that was kept.
void complete(Replay& replay) {
  const Run& before = replay.before();
  Run& now = replay.now;
  now.id = before.id;
  now.unverified = before.unverified && !replay.differs.empty();
  now.strategy = before.strategy;
  now.summary.seed = before.summary.seed;
  if (replay.differs.empty() && !replay.is_other_build) {
    if (now.steps.empty()) now.steps = before.steps;
    // The same cycle, by the names that its table has.
    if (now.failure && now.failure->kind == FailureKind::kDeadlock) {
      now.failure->detail = before.failure->detail;
    }
  }
  // The program passed; the run that was to be repeated did not.
  const bool is_strict = replay.following == wire::Following::kStrict;
  if (is_strict && !replay.differs.empty() && now.summary.outcome == Outcome::kPassed) {
    now.summary.outcome = Outcome::kDiverged;
    now.explanation = replay.differs;
  }
}

std::string constrained_runs(const BroughtBack& tried) {
  return plural(tried.tries, "more run") + " that kept to the recorded order of accesses and locks";
}

void tell_reproduced(const Replay& replay) {
  const Paint paint = replay.console.note_paint();
  std::string text = "unravel: run " + replay.before().id + " " + paint.green("reproduced") + ": ";
  const std::string end = replay.before().failure ? "failure" : "outcome";
  if (replay.reproduced_by == ReproducedBy::kConstraints) {
    text += "the same failure in another build; its schedule alone does not bring it back, " +
            constrained_runs(*replay.with_constraints) + " did";
  } else if (replay.is_other_build) {
    text += "the same " + end + " in another build";
  } else {
    text += "the same steps, the same " + end;
  }
  replay.console.note(text + "\n");
}

/// Only names: values may be secret.
void tell_variables(const Replay& replay) {
  const auto recorded = replay.opened.store.environment(replay.before().id);
  if (!recorded || !*recorded) return;
  std::string names;
  for (const std::string& name : different_variables(**recorded, current_environment())) {
    names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return;
  replay.console.note("  these variables are not as they were recorded: " + clean(names) +
                      "\n  without --environment now they are restored\n");
}

void tell_not_reproduced(const Replay& replay) {
  const Paint paint = replay.console.note_paint();
  std::string text =
      "unravel: run " + replay.before().id + " was " + paint.yellow("not reproduced") + ": ";
  if (replay.now.summary.outcome == Outcome::kDiverged &&
      replay.now.explanation != replay.differs) {
    text += "its schedule could not be followed: " + clean(replay.now.explanation);
  } else {
    text += clean(replay.differs);
  }
  if (replay.console.options().quiet) {
    replay.console.note(text + "\n");
    return;
  }
  if (const auto& tried = replay.with_constraints) {
    text += "\n  " +
            (tried->constraints > 0 ? constrained_runs(*tried) + " did not bring it back"
                                    : "what was ordered in it is not in this build") +
            "; `unravel check " + replay.before().id + "` tries more";
  }
  replay.console.note(text + "\n");
  if (replay.options.environment == EnvironmentOf::kNow) tell_variables(replay);
}

void tell(const Replay& replay) {
  const bool differs = !replay.differs.empty();
  if (replay.console.options().quiet) {
    if (differs) {
      tell_not_reproduced(replay);
    } else {
      tell_outcome(replay.now, replay.console);
    }
    return;
  }
  if (replay.now.summary.outcome != Outcome::kDiverged) {
    tell_outcome(replay.now, replay.console);
  } else {
    for (const std::string& warning : replay.now.warnings) replay.console.warn(warning);
  }
  if (differs) {
    tell_not_reproduced(replay);
  } else {
    tell_reproduced(replay);
  }
}

/// 0 only for a run that passed then and now, by the same steps.
int status_of(const Replay& replay) {
  const int status = exit_status(replay.now.summary.outcome, replay.options.judge.allow_untested);
  return status == kNoFailure && !replay.differs.empty() ? kUserOrEnvironment : status;
}

}  // namespace

Result<int> replay_command(const ReplayOptions& options, const Console& console,
                           Interruption& interruption) {
  const Result<void> free = check_keep_files(options.keep_files);
  if (!free) return fail(free.error());
  Result<OpenedRun> opened = open_run(options.run, console.options().store);
  if (!opened) return fail(opened.error());
  Replay replay{.opened = *opened,
                .options = options,
                .console = console,
                .following = options.following.value_or(wire::Following::kStrict)};
  const Run& before = replay.before();
  const Result<void> same = check_same_build(before.schedule);
  replay.is_other_build = !same;
  if (!same && replay.following == wire::Following::kStrict) return fail(same.error());
  Result<std::unique_ptr<RunnerLease>> worker =
      start_like(*opened, options.judge, interruption, options.environment);
  if (!worker) return fail(worker.error());

  RunRequest request;
  request.schedule = before.schedule;
  request.following = replay.following;
  fit_to_build(request.schedule, before.program, replay.following, console);
  // Objects are named in the order in which events meet them, as they were when it was kept.
  request.trace = wire::TraceLevel::kSync;
  request.table = console.options().json && before.steps.empty();
  Result<Run> now = (*worker)->runner().run(request);
  if (!now) return fail(now.error());
  replay.now = std::move(*now);
  // One of one thread that was kept when such runs counted as passed.
  RunSummary& recorded = opened->stored.run.summary;
  if (recorded.outcome == Outcome::kPassed && recorded.threads == 1 &&
      replay.now.summary.outcome == Outcome::kUnresolved && replay.now.summary.threads == 1) {
    recorded.outcome = Outcome::kUnresolved;
  }
  replay.differs = difference(replay);
  if (replay.is_other_build) {
    const Result<void> tried = try_with_constraints(replay, interruption);
    if (!tried) return fail(tried.error());
  }
  complete(replay);

  tell_output(replay.now, console);
  tell(replay);
  if (options.trace && replay.differs.empty()) {
    const Result<std::uint64_t> events = keep_trace(*opened, (*worker)->runner(), *options.trace);
    if (!events) return fail(events.error());
    console.note("unravel: a trace of " + plural(*events, "event") +
                 " was kept: " + clean(opened->store.trace_file(before.id).string()) + "\n");
  }
  const Result<void> kept = keep_files((*worker)->runner(), options.keep_files, console);
  if (!kept) return fail(kept.error());
  if (console.options().json) {
    console.out(run_json({.run = &replay.now,
                          .schedule_file = opened->store.schedule_file(before.id).string(),
                          .reproduced = replay.differs.empty(),
                          .reproduced_by = replay.reproduced_by,
                          .with_operations = true}));
  }
  return status_of(replay);
}

}  // namespace unravel
