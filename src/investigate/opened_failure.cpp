#include "investigate/opened_failure.hpp"

#include "investigate/build_ids.hpp"
#include "investigate/repetition.hpp"

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
  Result<std::unique_ptr<PoolLease>> lease = lease_pool(*request, jobs, observer);
  if (!lease) return fail(lease.error());
  opened_failure->lease_ = std::move(*lease);
  Result<Run> again = opened_failure->repeat(kept);
  if (!again) return fail(again.error());
  opened_failure->run_ = std::move(*again);
  return opened_failure;
}

Result<Run> OpenedFailure::repeat(const Run& kept) {
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
  return store().add(run, stored().settings, input_);
}

}  // namespace unravel
