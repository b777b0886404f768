/// `unravel isolate`: the switch that decides between passing and failing.
#include "cli/commands.hpp"
#include "cli/inquiry.hpp"
#include "cli/isolating.hpp"
#include "report/difference_text.hpp"
#include "report/explanation_json.hpp"

namespace unravel {

namespace {

/// A run that passed, to compare with; it must come out the same once more.
Result<Run> passing_run(Inquiry& inquiry, const std::string& name) {
  const Result<std::string> id = inquiry.store().find(name);
  if (!id) return fail(id.error());
  const Result<StoredRun> stored = inquiry.store().load(*id);
  if (!stored) return fail(stored.error());
  const Run& kept = stored->run;
  if (kept.summary.outcome != Outcome::kPassed) {
    return user_error("run " + *id + " did not pass", {},
                      "leave out --passing, and one that does is looked for");
  }
  const Program& program = inquiry.failing().program;
  if (kept.program.path != program.path || kept.program.arguments != program.arguments) {
    return user_error("run " + *id + " is one of another program, or with other arguments",
                      "only runs that differ in their schedules can be compared");
  }
  return inquiry.repeat(kept);
}

Result<void> keep(Inquiry& inquiry, NarrowedRuns& narrowed) {
  const Run& start = inquiry.failing();
  if (narrowed.failing.summary.schedule_hash == start.summary.schedule_hash) {
    narrowed.told.failing = start.id;
  } else {
    Result<std::string> id = inquiry.keep(narrowed.failing);
    if (!id) return fail(id.error());
    narrowed.told.failing = std::move(*id);
  }
  if (!narrowed.passing) return {};
  Result<std::string> id = inquiry.keep(*narrowed.passing);
  if (!id) return fail(id.error());
  narrowed.told.passing = std::move(*id);
  return {};
}

}  // namespace

Result<int> isolate_command(const IsolateOptions& options, const Console& console,
                            Interruption& interruption) {
  Result<std::unique_ptr<Inquiry>> inquiry =
      Inquiry::into_failure(options.run, console, options.jobs, interruption);
  if (!inquiry) return fail(inquiry.error());
  Narrowing narrowing{.passing = {},
                      .first_width = static_cast<double>(options.width),
                      .tests = options.tests,
                      .others_fail = options.others_fail};
  if (!options.passing.empty()) {
    Result<Run> passing = passing_run(**inquiry, options.passing);
    if (!passing) return fail(passing.error());
    narrowing.passing.push_back(std::move(*passing));
    narrowing.must_take = true;
  }
  Result<NarrowedRuns> narrowed =
      narrow_down((*inquiry)->pool(), (*inquiry)->failing(), narrowing, interruption);
  if (!narrowed) return fail(narrowed.error());
  if (!narrowed->passing) {
    if (interruption.happened()) return fail(Interruption::error());
    return user_error("no run near " + (*inquiry)->failing().id + " passes",
                      plural(narrowed->told.neighbour_tests, "neighbour") + " were tried",
                      "try more with --tests, begin farther away with --width, or name a run "
                      "that passed with --passing");
  }
  const Result<void> kept = keep(**inquiry, *narrowed);
  if (!kept) return fail(kept.error());
  if (console.options().json) {
    console.out(difference_json(narrowed->told));
  } else {
    console.note("unravel: " + difference_line(narrowed->told) + "\n");
    if (!console.options().quiet) {
      console.note(difference_text(narrowed->told, console.note_paint()));
    }
  }
  if (interruption.happened()) {
    console.note("unravel: interrupted; this is how far it got\n");
    return kUserOrEnvironment;
  }
  return kNoFailure;
}

}  // namespace unravel
