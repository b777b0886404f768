#include "investigate/opened_failure.hpp"

#include "data/served_inputs.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/repetition.hpp"
#include "investigate/run_on_record.hpp"

namespace unravel {

Result<std::unique_ptr<OpenedFailure>> OpenedFailure::into_failure(
    const RunName& name, const std::string& store, std::optional<std::uint64_t> jobs,
    Observer& observer) {
  Result<OpenedRun> opened = open_run(name, store);
  if (!opened) return fail(opened.error());
  const Run& kept = opened->stored.run;
  if (!kept.failure) {
    return user_error("run " + kept.id + " did not fail", "only failures can be simplified",
                      "`unravel list` shows which runs failed");
  }
  return start(std::move(*opened), jobs, observer);
}

Result<std::unique_ptr<OpenedFailure>> OpenedFailure::into_run(const RunName& name,
                                                               const std::string& store,
                                                               std::optional<std::uint64_t> jobs,
                                                               Observer& observer) {
  Result<OpenedRun> opened = open_run(name, store);
  if (!opened) return fail(opened.error());
  const Run& kept = opened->stored.run;
  if (!kept.failure && kept.summary.outcome != Outcome::kPassed) {
    return user_error("run " + kept.id + " neither failed nor passed",
                      "an unresolved run cannot be compared with another one",
                      "`unravel list` shows how runs ended");
  }
  return start(std::move(*opened), jobs, observer);
}

Result<std::unique_ptr<OpenedFailure>> OpenedFailure::start(OpenedRun opened,
                                                            std::optional<std::uint64_t> jobs,
                                                            Observer& observer) {
  if (opened.stored.run.summary.threads < 2) {
    return user_error("run " + opened.stored.run.id + " had one thread",
                      "so there is no order of threads to change",
                      "look at the run itself with `unravel show " + opened.stored.run.id + "`");
  }
  std::unique_ptr<OpenedFailure> opened_failure(new OpenedFailure(std::move(opened)));
  const Run& kept = opened_failure->stored().run;
  const Result<void> same = check_same_build(opened_failure->opened_);
  if (!same) return fail(same.error());
  Result<RunnerRequest> request = request_like(opened_failure->opened_, {});
  if (!request) return fail(request.error());
  opened_failure->input_ = request->input;
  const bool needs_it = needs_record(opened_failure->opened_);
  if (!needs_it) {
    const Result<void> live = opened_failure->start_live(*request, jobs, observer);
    if (live) return opened_failure;
    const auto recorded = opened_failure->store().inputs(kept.id);
    const bool has_record = recorded && usable(*recorded);
    if (!has_record || observer.interrupted()) return fail(live.error());
  }
  const Result<bool> on_record = opened_failure->start_on_record(*request, jobs, observer);
  if (!on_record) return fail(on_record.error());
  if (*on_record) return opened_failure;
  const Result<void> live = opened_failure->start_live(*request, jobs, observer);
  if (!live) return fail(live.error());
  return opened_failure;
}

/// Starts runs that get their inputs from outside.
Result<void> OpenedFailure::start_live(const RunnerRequest& request,
                                       std::optional<std::uint64_t> jobs, Observer& observer) {
  Result<std::unique_ptr<PoolLease>> lease = lease_pool(request, jobs, observer);
  if (!lease) return fail(lease.error());
  lease_ = std::move(*lease);
  Result<Run> again = repeat_strictly(stored().run);
  if (!again) return fail(again.error());
  run_ = std::move(*again);
  return {};
}

/// Starts runs that get the recorded inputs by stream. Returns false if that does not bring the run
/// about again.
Result<bool> OpenedFailure::start_on_record(RunnerRequest request,
                                            std::optional<std::uint64_t> jobs, Observer& observer) {
  inputs_ = inputs_by_stream(opened_, observer);
  if (!inputs_) return false;
  request.inputs = inputs_;
  Result<std::unique_ptr<PoolLease>> lease = lease_pool(request, jobs, observer);
  if (!lease) return fail(lease.error());
  lease_ = std::move(*lease);
  Result<Run> again = repeat(stored().run);
  if (again) {
    run_ = std::move(*again);
    return true;
  }
  if (observer.interrupted()) return fail(again.error());
  observer.warn("the recorded inputs do not bring run " + stored().run.id +
                " about again under another schedule: " + again.error().why +
                "; the inputs are taken from outside");
  inputs_ = nullptr;
  lease_ = nullptr;
  return false;
}

/// A run that got its inputs by stream is repeated exactly. Others are brought about again.
Result<Run> OpenedFailure::repeat(const Run& kept) {
  if (!inputs_) return repeat_strictly(kept);
  const auto own = store().inputs(kept.id);
  if (own && *own && is_served(**own)) return repeat_strictly(kept);
  Result<RunOnRecord> again = run_on_record(pool(), kept);
  if (!again) return fail(again.error());
  if (again->run) return std::move(*again->run);
  return user_error("run " + kept.id + " could not be repeated with the recorded inputs",
                    again->why_not, "`unravel replay " + kept.id + "` repeats the run itself");
}

Result<Run> OpenedFailure::repeat_strictly(const Run& kept) {
  RunRequest request;
  request.schedule = kept.schedule;
  request.following = wire::Following::kStrict;
  Result<Run> again = pool().submit(std::move(request)).get();
  if (!again) return again;
  if (const std::string differs = difference(kept, *again); !differs.empty()) {
    return user_error("run " + kept.id + " could not be repeated", differs,
                      "its input, its files or the machine changed: see `unravel doctor`");
  }
  again->id = kept.id;
  again->strategy = kept.strategy;
  again->summary.seed = kept.summary.seed;
  return again;
}

Result<std::string> OpenedFailure::keep(const Run& run) {
  if (!inputs_) return store().add(run, stored().settings, input_);
  Run with_inputs = run;
  with_inputs.inputs = inputs_;
  return store().add(with_inputs, stored().settings, input_);
}

}  // namespace unravel
