/// `unravel diff`: two kept runs of one program, side by side.
#include "cli/build_ids.hpp"
#include "cli/commands.hpp"
#include "cli/make_steps.hpp"
#include "cli/tell_run.hpp"
#include "report/diff_json.hpp"
#include "report/diff_text.hpp"

namespace unravel {

namespace {

/// What the user typed for the program does not matter, what it means does.
bool same_program(const Program& left, const Program& right) {
  const auto arguments = [](const Program& program) {
    const auto first = program.arguments.begin() + (program.arguments.empty() ? 0 : 1);
    return std::vector<std::string>(first, program.arguments.end());
  };
  return left.path == right.path && arguments(left) == arguments(right);
}

Result<void> check_comparable(const Run& left, const Run& right, const Console& console) {
  if (!same_program(left.program, right.program)) {
    return user_error("runs " + left.id + " and " + right.id + " are not of the same program",
                      left.id + " ran `" + program_text(left.program) + "` (" +
                          clean(left.program.path) + "), " + right.id + " ran `" +
                          program_text(right.program) + "` (" + clean(right.program.path) + ")",
                      "`unravel list` shows the runs of each");
  }
  if (!same_builds(left.schedule, right.schedule)) {
    console.warn(
        "the program was built anew between the two runs: steps are the same only where "
        "clocks and source lines are");
  }
  return {};
}

}  // namespace

Result<int> diff_command(const DiffOptions& options, const Console& console,
                         Interruption& interruption) {
  Result<OpenedRun> left = open_run(options.left, console.options().store);
  if (!left) return fail(left.error());
  Result<OpenedRun> right = open_run(options.right, console.options().store);
  if (!right) return fail(right.error());
  const Run& left_run = left->stored.run;
  const Run& right_run = right->stored.run;
  const Result<void> comparable = check_comparable(left_run, right_run, console);
  if (!comparable) return fail(comparable.error());
  for (OpenedRun* opened : {&*left, &*right}) {
    const Run& run = opened->stored.run;
    if (!run.steps.empty()) continue;
    if (!options.runs) {
      return user_error("no table of run " + run.id + " was kept",
                        "to make one, its program has to be run",
                        "`unravel diff --run " + left_run.id + " " + right_run.id + "` does that");
    }
    const Result<void> made = make_steps(*opened, console, interruption);
    if (!made) return fail(made.error());
  }

  const StepDiff diff = diff_steps(left_run, right_run);
  if (console.options().json) {
    console.out(diff_json(left_run, right_run, diff));
    return kNoFailure;
  }
  if (!console.options().quiet) {
    console.out("program: " + program_text(left_run.program) + "\n\n" +
                diff_text(left_run, right_run, diff,
                          {.columns = console.columns(), .around = options.around},
                          console.out_paint()) +
                "\n");
  }
  console.out(first_difference_line(diff) + "\n");
  return kNoFailure;
}

}  // namespace unravel
