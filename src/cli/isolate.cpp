/// `unravel isolate`: the switch that decides between passing and failing.
#include "cli/commands.hpp"
#include "cli/inquiry.hpp"
#include "cli/isolating.hpp"
#include "cli/tell_run.hpp"
#include "isolate/other_run.hpp"
#include "report/difference_text.hpp"
#include "report/explanation_json.hpp"
#include "report/failure_text.hpp"
#include "run/pool_laboratory.hpp"

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
  const Program& program = inquiry.run().program;
  if (kept.program.path != program.path || kept.program.arguments != program.arguments) {
    return user_error("run " + *id + " is one of another program, or with other arguments",
                      "only runs that differ in their schedules can be compared");
  }
  return inquiry.repeat(kept);
}

/// The opened run passed: one near it that fails, in whichever way, is looked into instead. Gives
/// how many were tried.
Result<std::uint64_t> find_failure(Inquiry& inquiry, const IsolateOptions& options,
                                   const Console& console, Interruption& interruption) {
  // No failure has this key: all are others.
  PoolLaboratory laboratory(inquiry.pool(), "");
  const ExperimentLimits limits{.runs = options.tests,
                                .interrupted = [&] { return interruption.happened(); }};
  Result<OtherRun> other = find_other_run(laboratory, inquiry.run(),
                                          {.wanted = DeltaOutcome::kFail,
                                           .others_fail = true,
                                           .first_width = static_cast<double>(options.width)},
                                          limits);
  if (!other) return fail(other.error());
  if (!other->found) {
    if (interruption.happened()) return fail(Interruption::error());
    return user_error("no run near " + inquiry.run().id + " fails",
                      plural(other->tests, "neighbour") + " were tried",
                      "try more with --tests, begin farther away with --width, or look for a "
                      "failure with `unravel hunt`");
  }
  other->found->run.id = "near " + inquiry.run().id;
  Result<Run> again = inquiry.repeat(other->found->run);
  if (!again) return fail(again.error());
  const Result<std::string> id = inquiry.keep(*again);
  again->id = id.value_or(std::string());
  console.note("unravel: " + (id ? "run " + *id : "a run") +
               " near it fails: " + failure_title(*again->failure) + "\n");
  if (!id) {
    tell_schedule(*again, console);
    return fail(id.error());
  }
  inquiry.look_into(std::move(*again));
  return other->tests;
}

/// With what to compare, where that is said.
Result<void> take_passing(Inquiry& inquiry, const IsolateOptions& options, Narrowing& narrowing) {
  if (!options.passing.empty()) {
    Result<Run> passing = passing_run(inquiry, options.passing);
    if (!passing) return fail(passing.error());
    narrowing.passing.push_back(std::move(*passing));
  } else if (!inquiry.run().failure) {
    narrowing.passing.push_back(inquiry.run());
  }
  narrowing.must_take = !narrowing.passing.empty();
  return {};
}

/// The runs that could not be kept, and why the last of them could not.
struct Unkept {
  std::vector<const Run*> runs;
  std::optional<Error> why;
};

Unkept keep(Inquiry& inquiry, NarrowedRuns& narrowed) {
  Unkept unkept;
  const auto id_of = [&](const Run& run) {
    Result<std::string> id = inquiry.keep(run);
    if (id) return std::move(*id);
    unkept.runs.push_back(&run);
    unkept.why = id.error();
    return std::string();
  };
  const Run& start = inquiry.failing();
  const bool is_start = narrowed.failing.summary.schedule_hash == start.summary.schedule_hash;
  narrowed.told.failing = is_start ? start.id : id_of(narrowed.failing);
  if (narrowed.passing) narrowed.told.passing = id_of(*narrowed.passing);
  return unkept;
}

}  // namespace

Result<int> isolate_command(const IsolateOptions& options, const Console& console,
                            Interruption& interruption) {
  Result<std::unique_ptr<Inquiry>> inquiry =
      Inquiry::into_run(options.run, console, options.jobs, interruption);
  if (!inquiry) return fail(inquiry.error());
  Result<std::uint64_t> tried = 0;
  if (!(*inquiry)->run().failure) {
    tried = find_failure(**inquiry, options, console, interruption);
    if (!tried) return fail(tried.error());
  }
  Narrowing narrowing{.passing = {},
                      .first_width = static_cast<double>(options.width),
                      .tests = options.tests,
                      .others_fail = options.others_fail};
  const Result<void> taken = take_passing(**inquiry, options, narrowing);
  if (!taken) return fail(taken.error());
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
  narrowed->told.neighbour_tests += *tried;
  const Unkept unkept = keep(**inquiry, *narrowed);
  if (console.options().json) {
    console.out(difference_json(narrowed->told));
  } else {
    console.note("unravel: " + difference_line(narrowed->told) + "\n");
    if (!console.options().quiet) {
      console.note(difference_text(narrowed->told, console.note_paint()));
    }
  }
  for (const Run* run : unkept.runs) tell_schedule(*run, console);
  if (unkept.why) return console.complain_in_words(*unkept.why);
  if (interruption.happened()) {
    console.note("unravel: interrupted; this is how far it got\n");
    return kUserOrEnvironment;
  }
  return kNoFailure;
}

}  // namespace unravel
