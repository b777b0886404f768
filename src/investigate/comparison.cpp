#include "investigate/comparison.hpp"

#include <vector>

#include "base/text.hpp"
#include "data/program.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/steps.hpp"

namespace unravel {

namespace {

/// The first argument is how the user typed the path; only the path itself matters.
bool same_program(const Program& left, const Program& right) {
  const auto arguments = [](const Program& program) {
    const auto first = program.arguments.begin() + (program.arguments.empty() ? 0 : 1);
    return std::vector<std::string>(first, program.arguments.end());
  };
  return left.path == right.path && arguments(left) == arguments(right);
}

Result<void> check_comparable(const Run& left, const Run& right, Observer& observer) {
  if (!same_program(left.program, right.program)) {
    return user_error("runs " + left.id + " and " + right.id + " are not of the same program",
                      left.id + " ran `" + program_text(left.program) + "` (" +
                          clean(left.program.path) + "), " + right.id + " ran `" +
                          program_text(right.program) + "` (" + clean(right.program.path) + ")",
                      "`unravel list` shows the runs of each");
  }
  if (!same_builds(left.schedule, right.schedule)) {
    observer.warn(
        "the program was rebuilt between the two runs: only steps with the same clock and source "
        "line are equal");
  }
  return {};
}

}  // namespace

Result<ComparedRuns> compare_kept(const RunName& left, const RunName& right,
                                  const std::string& store, bool may_run, Observer& observer) {
  Result<OpenedRun> one = open_run(left, store);
  if (!one) return fail(one.error());
  Result<OpenedRun> other = open_run(right, store);
  if (!other) return fail(other.error());
  const Result<void> comparable = check_comparable(one->stored.run, other->stored.run, observer);
  if (!comparable) return fail(comparable.error());
  for (OpenedRun* opened : {&*one, &*other}) {
    const Run& run = opened->stored.run;
    if (!run.steps.empty()) continue;
    if (!may_run) {
      return user_error(
          "no table of run " + run.id + " was stored", "to make one, the program must run again",
          "`unravel diff --run " + one->stored.run.id + " " + other->stored.run.id + "` runs it");
    }
    const Result<void> made = make_steps(*opened, observer);
    if (!made) return fail(made.error());
  }
  return ComparedRuns{.left = std::move(one->stored.run), .right = std::move(other->stored.run)};
}

}  // namespace unravel
