/// `unravel show`: a kept run as a table.
#include "cli/commands.hpp"
#include "cli/make_steps.hpp"
#include "cli/stored_run.hpp"
#include "cli/trace.hpp"
#include "report/failure_text.hpp"
#include "report/json.hpp"
#include "report/std_trace.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

std::string summary(const Run& run, Paint paint) {
  std::string program;
  for (const std::string& argument : run.program.arguments) program += " " + clean(argument);
  std::string text =
      outcome_line(run, paint) + "\n  program:" + program + "\n  " + numbers_line(run) + "\n";
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
