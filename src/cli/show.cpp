/// `unravel show`: a kept run as a table.
#include "cli/build_ids.hpp"
#include "cli/commands.hpp"
#include "cli/reproduce.hpp"
#include "cli/stored_run.hpp"
#include "cli/trace.hpp"
#include "report/failure_text.hpp"
#include "report/json.hpp"
#include "report/std_trace.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

/// Runs the program once more to see its steps, and keeps them for next time.
Result<void> make_steps(OpenedRun& opened, const Console& console, Interruption& interruption) {
  Run& run = opened.stored.run;
  const Result<void> same = check_same_build(run.schedule);
  if (!same) {
    return user_error("the steps of run " + run.id + " were not kept, and cannot be had any more",
                      same.error().what,
                      "`unravel replay --lenient " + run.id + "` tries whether it still fails");
  }
  Result<std::unique_ptr<Worker>> worker = start_like(opened, {}, interruption);
  if (!worker) return fail(worker.error());
  Result<Run> again = replay_for_table((*worker)->runner(), run);
  if (!again) return fail(again.error());
  const std::string differs = difference(run, *again);
  if (!differs.empty()) {
    return user_error("run " + run.id + " could not be repeated", differs,
                      "the program, its files or the machine changed since; find the failure "
                      "again with `unravel run --runs N -- PROGRAM`");
  }
  run.steps = std::move(again->steps);
  run.events = std::move(again->events);
  const Result<void> kept = opened.store.add_steps(run.id, run);
  if (!kept) console.warn("the table was not kept: " + kept.error().what);
  return {};
}

std::string summary(const Run& run, Paint paint) {
  std::string program;
  for (const std::string& argument : run.program.arguments) program += " " + clean(argument);
  return outcome_line(run, paint) + "\n  program:" + program + "\n  " + numbers_line(run) + "\n";
}

}  // namespace

Result<int> show_command(const ShowOptions& options, const Console& console,
                         Interruption& interruption) {
  Result<OpenedRun> opened = open_run(options.run, console.options().store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  if (options.format == ShowOptions::Format::kStd) {
    const Result<Trace> trace = trace_of(*opened, interruption);
    if (!trace) return fail(trace.error());
    StdTrace text;
    text.prepare(trace->events);
    constexpr std::size_t kAtATime = 1 << 16;
    for (std::span<const TraceEvent> left = trace->events; !left.empty();) {
      const std::size_t count = std::min(left.size(), kAtATime);
      console.out(text.lines(left.first(count)));
      left = left.subspan(count);
    }
    return kNoFailure;
  }
  if (console.options().json) {
    console.out(run_json({.run = &run,
                          .schedule_file = opened->store.schedule_file(run.id).string(),
                          .with_operations = true}));
    return kNoFailure;
  }
  const Paint paint = console.out_paint();
  if (console.options().quiet) {
    console.out(outcome_line(run, paint) + "\n");
    return kNoFailure;
  }
  console.out(summary(run, paint) + "\n");
  Result<void> steps;
  if (run.steps.empty()) steps = make_steps(*opened, console, interruption);
  if (steps) {
    console.out(render_table(run, {.columns = console.columns(), .rows = options.rows}, paint));
    if (run.failure) console.out("  " + paint.red(failure_title(*run.failure)) + "\n");
    console.out("\n");
  }
  if (run.failure) console.out(failure_text(*run.failure, paint));
  const std::string schedule = to_string(run.schedule);
  console.out("\nschedule: " +
              (schedule.size() <= kLongestScheduleString
                   ? schedule
                   : opened->store.schedule_file(run.id).string()) +
              "\n");
  if (!steps) return fail(steps.error());
  return kNoFailure;
}

}  // namespace unravel
