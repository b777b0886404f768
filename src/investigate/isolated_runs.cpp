#include "investigate/isolated_runs.hpp"

#include "base/text.hpp"
#include "investigate/opened_failure.hpp"
#include "isolate/other_run.hpp"
#include "run/pool_laboratory.hpp"

namespace unravel {

namespace {

/// The passing run to compare with. Its replay must reproduce it.
Result<Run> passing_run(OpenedFailure& failure, const std::string& name) {
  const Result<OpenedRun> other = open_run(name, failure.store().directory());
  if (!other) return fail(other.error());
  const Run& kept = other->stored.run;
  if (kept.summary.outcome != Outcome::kPassed) {
    return user_error("run " + kept.id + " did not pass", {},
                      "leave out --passing to search for a passing run");
  }
  const Program& program = failure.run().program;
  if (kept.program.path != program.path || kept.program.arguments != program.arguments) {
    return user_error("run " + kept.id + " is of another program or has other arguments",
                      "only runs that differ in their schedules can be compared");
  }
  return failure.repeat(kept);
}

/// The opened run passed: finds a run near it that fails in any way and continues with that.
/// Returns the number of tried runs.
Result<std::uint64_t> find_failure(OpenedFailure& failure, const IsolateRequest& request,
                                   IsolatedRuns& isolated, Observer& observer) {
  // No failure has an empty key, so any failure counts.
  PoolLaboratory laboratory(failure.pool(), "");
  const ExperimentLimits limits{.runs = request.tests,
                                .interrupted = [&] { return observer.interrupted(); }};
  Result<OtherRun> other = find_other_run(laboratory, failure.run(),
                                          {.wanted = DeltaOutcome::kFail,
                                           .others_fail = true,
                                           .first_width = static_cast<double>(request.width)},
                                          limits);
  if (!other) return fail(other.error());
  if (!other->found) {
    if (observer.interrupted()) return fail(interrupted_error());
    return user_error("no run near " + failure.run().id + " fails",
                      plural(other->tests, "neighbour") + " were tried",
                      "try more with --tests, start farther away with --width, or search with "
                      "`unravel hunt`");
  }
  other->found->run.id = "near " + failure.run().id;
  Result<Run> again = failure.repeat_strictly(other->found->run);
  if (!again) return fail(again.error());
  const Result<std::string> id = failure.keep(*again);
  again->id = id.value_or(std::string());
  isolated.nearby = *again;
  if (!id) {
    isolated.unkept.push_back(*again);
    isolated.why_unkept = id.error();
    return other->tests;
  }
  failure.look_into(std::move(*again));
  return other->tests;
}

/// Takes the passing run that was given, if any.
Result<void> take_passing(OpenedFailure& failure, const IsolateRequest& request,
                          Narrowing& narrowing) {
  if (!request.passing.empty()) {
    Result<Run> passing = passing_run(failure, request.passing);
    if (!passing) return fail(passing.error());
    narrowing.passing.push_back(std::move(*passing));
  } else if (!failure.run().failure) {
    narrowing.passing.push_back(failure.run());
  }
  narrowing.must_take = !narrowing.passing.empty();
  return {};
}

void keep(OpenedFailure& failure, IsolatedRuns& isolated) {
  NarrowedRuns& narrowed = isolated.narrowed;
  const auto id_of = [&](const Run& run) {
    Result<std::string> id = failure.keep(run);
    if (id) return std::move(*id);
    isolated.unkept.push_back(run);
    isolated.why_unkept = id.error();
    return std::string();
  };
  const Run& start = failure.failing();
  const bool is_start = narrowed.failing.summary.schedule_hash == start.summary.schedule_hash;
  narrowed.told.failing = is_start ? start.id : id_of(narrowed.failing);
  if (narrowed.passing) narrowed.told.passing = id_of(*narrowed.passing);
  const std::optional<DecidingPlace> place = deciding_place(narrowed.told);
  if (!place || narrowed.told.failing.empty()) return;
  const Result<void> kept = failure.store().add_deciding_place(narrowed.told.failing, *place);
  if (!kept) isolated.why_unkept = kept.error();
}

}  // namespace

Result<IsolatedRuns> isolate_kept(const IsolateRequest& request, Observer& observer) {
  Result<std::unique_ptr<OpenedFailure>> opened =
      OpenedFailure::into_run(request.run, request.store, request.jobs, observer);
  if (!opened) return fail(opened.error());
  OpenedFailure& failure = **opened;
  IsolatedRuns isolated;
  std::uint64_t tried = 0;
  if (!failure.run().failure) {
    const Result<std::uint64_t> found = find_failure(failure, request, isolated, observer);
    if (!found) return fail(found.error());
    if (isolated.why_unkept) return isolated;
    tried = *found;
  }
  Narrowing narrowing{.passing = {},
                      .first_width = static_cast<double>(request.width),
                      .tests = request.tests,
                      .others_fail = request.others_fail};
  const Result<void> taken = take_passing(failure, request, narrowing);
  if (!taken) return fail(taken.error());
  Result<NarrowedRuns> narrowed =
      narrow_down(failure.pool(), failure.failing(), narrowing, observer);
  if (!narrowed) return fail(narrowed.error());
  if (!narrowed->passing) {
    if (observer.interrupted()) return fail(interrupted_error());
    std::string tried_so_far = plural(narrowed->told.neighbour_tests, "neighbour") + " were tried";
    if (failure.has_recorded_inputs()) {
      tried_so_far +=
          " on the recorded inputs; those that asked for more than was recorded neither "
          "passed nor failed";
    }
    return user_error("no run near " + failure.failing().id + " passes", tried_so_far,
                      "try more with --tests, start farther away with --width, or name a passing "
                      "run with --passing");
  }
  isolated.narrowed = std::move(*narrowed);
  isolated.narrowed.told.neighbour_tests += tried;
  isolated.narrowed.told.on_record = failure.has_recorded_inputs();
  keep(failure, isolated);
  return isolated;
}

}  // namespace unravel
