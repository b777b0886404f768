#include "investigate/steps.hpp"

#include "investigate/build_ids.hpp"
#include "investigate/repetition.hpp"

namespace unravel {

Result<void> make_steps(OpenedRun& opened, Observer& observer) {
  Run& run = opened.stored.run;
  const Result<void> same = check_same_build(run.schedule);
  if (!same) {
    return user_error("the steps of run " + run.id + " were not kept, and cannot be had any more",
                      same.error().what,
                      "`unravel replay --lenient " + run.id + "` tries whether it still fails");
  }
  Result<std::unique_ptr<RunnerLease>> worker = start_like(opened, {}, observer);
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
  if (!kept) observer.warn("the table was not kept: " + kept.error().what);
  return {};
}

}  // namespace unravel
