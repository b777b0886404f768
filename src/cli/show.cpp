/// `unravel show`: a kept run as a table.
#include "cli/commands.hpp"
#include "cli/make_steps.hpp"
#include "cli/stored_run.hpp"
#include "cli/tell_run.hpp"
#include "cli/trace.hpp"
#include "report/failure_text.hpp"
#include "report/json.hpp"
#include "report/std_trace.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

std::string summary(const Run& run, Paint paint) {
  std::string text = outcome_line(run, paint) + "\n  program: " + program_text(run.program) +
                     "\n  " + numbers_line(run) + "\n";
  const auto tell_left_out = [&](std::string_view stream, std::uint64_t bytes) {
    if (bytes == 0) return;
    text += "  of its " + std::string(stream) + " the first and last part were kept, " +
            plural(bytes, "byte") + " between them were not\n";
  };
  tell_left_out("standard output", run.output_left_out);
  tell_left_out("error output", run.error_output_left_out);
  return text;
}

}  // namespace

Result<int> show_command(const ShowOptions& options, const Console& console,
                         Interruption& interruption) {
  Result<OpenedRun> opened = open_run(options.run, console.options().store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  if (options.format == ShowOptions::Format::kStd) {
    const Result<Trace> trace = trace_of(*opened, options.runs, interruption);
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
  const bool needs_steps = run.steps.empty() && options.runs && !console.options().quiet;
  Result<void> steps;
  if (needs_steps) steps = make_steps(*opened, console, interruption);
  if (console.options().json) {
    if (!steps) return fail(steps.error());
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
  if (!run.steps.empty()) {
    console.out(render_table(run, {.columns = console.columns(), .rows = options.rows}, paint));
    if (run.failure) console.out("  " + paint.red(failure_title(*run.failure)) + "\n");
    console.out("\n");
  }
  if (run.failure) console.out(failure_text(*run.failure, paint));
  const std::string schedule = to_string(run.schedule);
  console.out("\nschedule: " +
              (schedule.size() <= kLongestScheduleString
                   ? schedule
                   : clean(opened->store.schedule_file(run.id).string())) +
              "\n");
  if (!steps) return fail(steps.error());
  if (run.steps.empty() && !options.runs) {
    console.note("unravel: no table of run " + run.id + " was kept; `unravel show --run " + run.id +
                 "` runs the program once more and makes it\n");
  }
  return kNoFailure;
}

}  // namespace unravel
