#include "investigate/stored_run.hpp"

#include "investigate/recorded_inputs.hpp"

namespace unravel {

Result<OpenedRun> open_run(const std::string& name, const std::string& store) {
  Result<Store> opened = Store::open(store, Store::Access::kExisting);
  if (!opened) return fail(opened.error());
  const Result<std::string> id = opened->find(name);
  if (!id) return fail(id.error());
  Result<StoredRun> stored = opened->load(*id);
  if (!stored) return fail(stored.error());
  return OpenedRun{std::move(*opened), std::move(*stored)};
}

Result<RunnerRequest> request_like(const OpenedRun& opened, const Judging& judge,
                                   EnvironmentOf wanted) {
  const Run& run = opened.stored.run;
  Result<std::string> input = opened.store.input(run.id);
  if (!input) return fail(input.error());
  std::shared_ptr<const Environment> environment;
  if (wanted == EnvironmentOf::kRecording) {
    auto recorded = opened.store.environment(run.id);
    if (!recorded) return fail(recorded.error());
    environment = std::move(*recorded);
  }
  return RunnerRequest{.program = run.program,
                       .settings = settings_from(judge, opened.stored.settings),
                       .timeouts = judge.timeouts.value_or(run.schedule.timeouts),
                       .points = run.schedule.points,
                       .store = opened.store.directory(),
                       .input = std::move(*input),
                       .like = &run.schedule,
                       .most_output = judge.most_output,
                       .environment = std::move(environment),
                       .client_end = run.client};
}

Result<std::unique_ptr<RunnerLease>> start_like(const OpenedRun& opened, const Judging& judge,
                                                Observer& observer, EnvironmentOf environment,
                                                InputsOf inputs) {
  Result<RunnerRequest> request = request_like(opened, judge, environment);
  if (!request) return fail(request.error());
  if (inputs == InputsOf::kRecording) {
    auto recorded = opened.store.inputs(opened.stored.run.id);
    if (!recorded) return fail(recorded.error());
    request->inputs = usable(std::move(*recorded));
  }
  return lease_runner(*request, observer);
}

}  // namespace unravel
