#include "investigate/steps.hpp"

#include "investigate/build_ids.hpp"
#include "investigate/repetition.hpp"

namespace unravel {

Result<void> make_steps(OpenedRun& opened, Observer& observer) {
  Run& run = opened.stored.run;
  const Result<void> same = check_same_build(opened);
  if (!same) {
    return user_error("the steps of run " + run.id + " were not stored and cannot be made any more",
                      same.error().what,
                      "`unravel replay --lenient " + run.id + "` checks whether it still fails");
  }
  Result<std::unique_ptr<RunnerLease>> lease = start_like(opened, {}, observer);
  if (!lease) return fail(lease.error());
  Result<Run> again = replay_for_table((*lease)->get(), run);
  if (!again) return fail(again.error());
  const std::string differs = difference(run, *again);
  if (!differs.empty()) {
    return user_error("run " + run.id + " could not be repeated", differs,
                      "the program, its files or the machine changed; find the failure again with "
                      "`unravel hunt -- PROGRAM`");
  }
  if (!again->why_no_table.empty()) {
    return environment_error(
        "the table of run " + run.id + " could not be made", again->why_no_table,
        "try again; `unravel replay " + run.id + "` checks whether the run still repeats");
  }
  run.steps = std::move(again->steps);
  run.events = std::move(again->events);
  const Result<void> kept = opened.store.add_steps(run.id, run);
  if (!kept) observer.warn("the table could not be stored: " + kept.error().what);
  return {};
}

}  // namespace unravel
