#include "investigate/stored_run.hpp"

#include "investigate/build_ids.hpp"
#include "investigate/opened_pack.hpp"
#include "investigate/pack_file.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/run_on_record.hpp"

namespace unravel {

Result<OpenedRun> open_run(const RunName& name, const std::string& store) {
  if (names_pack(name.text)) return open_pack(name, store);
  if (name.trusts_program) {
    return user_error(
        "--trust-program is only for packed runs",
        name.empty() ? "no file was named" : "'" + name.text + "' is a run of the store",
        "name a file that `unravel pack` wrote, or leave it out");
  }
  Result<Store> opened = Store::open(store, Store::Access::kExisting);
  if (!opened) return fail(opened.error());
  const Result<std::string> id = opened->find(name.text);
  if (!id) return fail(id.error());
  Result<StoredRun> stored = opened->load(*id);
  if (!stored) return fail(stored.error());
  OpenedRun run{.store = std::move(*opened), .stored = std::move(*stored), .name = name};
  const Result<void> placed = place_program(run, {});
  if (!placed) return fail(placed.error());
  return run;
}

Result<void> check_same_build(const OpenedRun& opened) {
  const Schedule& schedule = opened.stored.run.schedule;
  if (!opened.is_packed && opened.name.program.empty()) return check_same_build(schedule);
  const std::optional<OtherBuild> other = find_other_build(schedule);
  return other ? fail(other_build_error(opened, *other)) : Result<void>();
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
  RunnerRequest request{.program = run.program,
                        .settings = settings_from(judge, opened.stored.settings),
                        .timeouts = judge.timeouts.value_or(run.schedule.timeouts),
                        .points = run.schedule.points,
                        .store = opened.store.directory(),
                        .input = std::move(*input),
                        .like = &run.schedule,
                        .most_output = judge.most_output,
                        .environment = std::move(environment),
                        .client_end = run.client};
  if (opened.is_packed) {
    const Result<void> prepared = prepare_packed(opened, judge, request);
    if (!prepared) return fail(prepared.error());
  }
  if (opened.files && !opened.files->empty()) {
    opened.files->use();
    request.stand_ins = opened.files->root();
  }
  return request;
}

Result<std::unique_ptr<RunnerLease>> start_like(const OpenedRun& opened, const Judging& judge,
                                                Observer& observer, EnvironmentOf environment,
                                                InputsOf inputs, wire::Following following) {
  Result<RunnerRequest> request = request_like(opened, judge, environment);
  if (!request) return fail(request.error());
  if (inputs == InputsOf::kLive) request->forces_sandbox = false;
  if (inputs == InputsOf::kRecording && following != wire::Following::kStrict) {
    if (needs_record(opened)) request->inputs = inputs_by_stream(opened, observer);
  } else if (inputs == InputsOf::kRecording) {
    auto recorded = opened.store.inputs(opened.stored.run.id);
    if (!recorded) return fail(recorded.error());
    request->inputs = usable(std::move(*recorded));
    const Result<void> able =
        request->inputs ? check_kernel(opened, *request->inputs) : Result<void>();
    if (!able) return fail(able.error());
  }
  return lease_runner(*request, observer);
}

}  // namespace unravel
