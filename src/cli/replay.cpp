/// `unravel replay`: a kept run once more, by its own schedule.
#include "base/files.hpp"
#include "cli/build_ids.hpp"
#include "cli/commands.hpp"
#include "cli/keep_files.hpp"
#include "cli/reproduce.hpp"
#include "cli/stored_run.hpp"
#include "cli/tell_run.hpp"
#include "cli/trace.hpp"
#include "report/failure_text.hpp"

namespace unravel {

namespace {

void tell_comparison(const Run& before, const Run& now, const std::string& differs,
                     const Console& console) {
  const Paint paint = console.note_paint();
  const std::string id = "run " + before.id;
  if (differs.empty()) {
    console.note("unravel: " + id + " " + paint.green("reproduced") +
                 ": the same steps, the same " + (before.failure ? "failure" : "outcome") + "\n");
  } else if (now.summary.outcome == Outcome::kDiverged) {
    console.note("unravel: " + id + " could not be followed: " + clean(now.explanation) + "\n");
  } else {
    console.note("unravel: " + id + " was " + paint.yellow("not reproduced") + ": " +
                 clean(differs) + "\n");
  }
}

}  // namespace

Result<int> replay_command(const ReplayOptions& options, const Console& console,
                           Interruption& interruption) {
  const Result<void> free = check_keep_files(options.keep_files);
  if (!free) return fail(free.error());
  Result<OpenedRun> opened = open_run(options.run, console.options().store);
  if (!opened) return fail(opened.error());
  const Run& before = opened->stored.run;
  const wire::Following following = options.following.value_or(wire::Following::kStrict);
  if (following == wire::Following::kStrict) {
    const Result<void> same = check_same_build(before.schedule);
    if (!same) return fail(same.error());
  }
  Result<std::unique_ptr<Worker>> worker = start_like(*opened, options.judge, interruption);
  if (!worker) return fail(worker.error());

  RunRequest request;
  request.schedule = before.schedule;
  request.following = following;
  fit_to_build(request.schedule, before.program, following, console);
  // Objects are named in the order in which events meet them, as they were when it was kept.
  request.trace = wire::TraceLevel::kSync;
  request.table = console.options().json && before.steps.empty();
  Result<Run> now = (*worker)->runner().run(request);
  if (!now) return fail(now.error());

  // One of one thread that was kept when such runs counted as passed.
  if (before.summary.outcome == Outcome::kPassed && before.summary.threads == 1 &&
      now->summary.outcome == Outcome::kUnresolved && now->summary.threads == 1) {
    opened->stored.run.summary.outcome = Outcome::kUnresolved;
  }
  std::string differs = difference(before, *now);
  const bool only_other_steps = now->summary.outcome == before.summary.outcome && before.failure &&
                                now->failure && before.failure->key == now->failure->key;
  if (following == wire::Following::kLenient && only_other_steps) {
    differs.clear();  // a rebuilt program takes other steps to the same failure
  }
  tell_output(*now, console);
  now->id = before.id;
  now->unverified = before.unverified && !differs.empty();
  if (differs.empty() && now->steps.empty()) now->steps = before.steps;
  // The same cycle, by the names that its table has.
  if (differs.empty() && now->failure && now->failure->kind == FailureKind::kDeadlock) {
    now->failure->detail = before.failure->detail;
  }
  now->strategy = before.strategy;
  now->summary.seed = before.summary.seed;
  if (now->summary.outcome != Outcome::kDiverged || console.options().quiet) {
    tell_outcome(*now, console);
  } else {
    for (const std::string& warning : now->warnings) console.warn(warning);
  }
  if (!console.options().quiet) tell_comparison(before, *now, differs, console);
  if (options.trace && differs.empty()) {
    const Result<std::uint64_t> events = keep_trace(*opened, (*worker)->runner(), *options.trace);
    if (!events) return fail(events.error());
    console.note("unravel: a trace of " + plural(*events, "event") +
                 " was kept: " + opened->store.trace_file(before.id).string() + "\n");
  }
  const Result<void> kept = keep_files((*worker)->runner(), options.keep_files, console);
  if (!kept) return fail(kept.error());
  if (console.options().json) {
    console.out(run_json({.run = &*now,
                          .schedule_file = opened->store.schedule_file(before.id).string(),
                          .reproduced = differs.empty(),
                          .with_operations = true}));
  }
  return exit_status(now->summary.outcome, options.judge.allow_untested);
}

}  // namespace unravel
