#include "investigate/hunt_failures.hpp"

#include "investigate/lease.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/run_on_record.hpp"
#include "investigate/verification.hpp"

namespace unravel {

std::optional<Error> HuntFailures::verify(FoundFailure& failure) {
  const RunOnce live = [&](RunRequest request) {
    return setting_.pool.submit(std::move(request)).get();
  };
  Result<Verification> verification =
      setting_.recording
          ? verify_with_inputs(failure.run, *setting_.recording, live, setting_.observer)
          : unravel::verify(failure.run, live);
  if (verification) failure.verification = std::move(*verification);
  // The failure is verified even if its inputs cannot be recorded.
  if (verification && failure.verified() && setting_.recording && !failure.run.inputs) {
    static_cast<void>(record_inputs(failure.run, *setting_.recording, setting_.observer));
  }
  // Other runners were watched meanwhile.
  setting_.observer.on_interruption([pool = &setting_.pool] { pool->interrupt(); });
  if (!verification) return verification.error();
  return std::nullopt;
}

std::optional<Error> HuntFailures::explain(FoundFailure& failure) {
  std::optional<Error> trouble;
  Result<bool> done = false;
  if (setting_.recording) {
    done = explain_on_record(failure);
    if (!done) trouble = done.error();
  }
  if (done && !*done) trouble = explain_in(setting_.pool, failure.run, nullptr, failure);
  setting_.observer.on_interruption([pool = &setting_.pool] { pool->interrupt(); });
  return trouble;
}

std::optional<Error> HuntFailures::explain_in(Pool& pool, const Run& run,
                                              std::shared_ptr<const InputLog> inputs,
                                              FoundFailure& failure) {
  Result<Explained> explained = unravel::explain({.pool = pool,
                                                  .store = setting_.store,
                                                  .settings = setting_.settings,
                                                  .input = setting_.input,
                                                  .observer = setting_.observer,
                                                  .deadline = setting_.deadline,
                                                  .depends_on_order = others_passed_,
                                                  .inputs = std::move(inputs),
                                                  .client = failure.run.client},
                                                 run);
  if (!explained) return explained.error();
  failure.explained = std::move(*explained);
  return std::nullopt;
}

/// What was outside may not do the same again, so the recorded inputs are better if they bring the
/// failure about. Returns whether they do.
Result<bool> HuntFailures::explain_on_record(FoundFailure& failure) {
  if (!needs_record(failure.run, failure.run.inputs.get())) return false;
  const auto inputs = inputs_by_stream(failure.run.inputs, setting_.observer);
  if (!inputs) return false;
  RunnerRequest request = with_inputs_of(failure.run, *setting_.recording);
  request.inputs = inputs;
  Result<std::unique_ptr<PoolLease>> lease =
      lease_pool(request, setting_.pool.workers(), setting_.observer);
  if (!lease) return fail(lease.error());
  const Result<RunOnRecord> again = run_on_record((*lease)->get(), failure.run);
  if (!again) return fail(again.error());
  // What a client does again would be another run. The failure itself is known.
  if (!again->run) return failure.run.client.has_value();
  const std::optional<Error> trouble = explain_in((*lease)->get(), *again->run, inputs, failure);
  if (trouble) return fail(*trouble);
  return true;
}

void HuntFailures::tell(FoundFailure failure) {
  found_.push_back(std::move(failure));
  setting_.observer.found(finding_of(found_.back()));
}

Result<bool> HuntFailures::found(Run run, std::uint64_t at_run) {
  if (run.failure && setting_.known.knows(run.failure->key)) return true;
  FoundFailure failure;
  failure.run = std::move(run);
  failure.found_at_run = at_run;
  failure.is_predicted = setting_.predicts;
  failure.at_all_accesses = failure.run.schedule.points != setting_.points &&
                            failure.run.schedule.points == wire::PointSet::kMemory;
  // The failure is stored and reported even if the verification fails.
  std::optional<Error> trouble = verify(failure);
  Result<std::string> id = setting_.store.add(failure.run, setting_.settings, setting_.input);
  if (!id) {
    // If one failure cannot be stored, others cannot be stored either: the hunt ends.
    failure.unkept = id.error();
    tell(std::move(failure));
    if (trouble) return fail(*trouble);
    return false;
  }
  failure.run.id = std::move(*id);
  if (setting_.explains && failure.verified() && !trouble) trouble = explain(failure);
  tell(std::move(failure));
  if (trouble) return fail(*trouble);
  return setting_.goes_on;
}

void HuntFailures::progress(const Explored& explored) {
  others_passed_ = explored.passed > 0;
  setting_.observer.progress(explored);
}

}  // namespace unravel
