#include "investigate/hunt_failures.hpp"

#include "investigate/lease.hpp"
#include "investigate/recorded_inputs.hpp"
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
  // What a client does again would be another run; what it did is recorded.
  std::unique_ptr<PoolLease> replaying;
  if (failure.run.client && usable(failure.run.inputs) && setting_.recording) {
    Result<std::unique_ptr<PoolLease>> lease =
        lease_pool(with_inputs_of(failure.run, *setting_.recording), setting_.pool.workers(),
                   setting_.observer);
    if (!lease) return lease.error();
    replaying = std::move(*lease);
  }
  Result<Explained> explained =
      unravel::explain({.pool = replaying ? replaying->get() : setting_.pool,
                        .store = setting_.store,
                        .settings = setting_.settings,
                        .input = setting_.input,
                        .observer = setting_.observer,
                        .deadline = setting_.deadline,
                        .depends_on_order = others_passed_,
                        .recorded = replaying ? &failure.run : nullptr},
                       failure.run);
  replaying.reset();
  setting_.observer.on_interruption([pool = &setting_.pool] { pool->interrupt(); });
  if (!explained) return explained.error();
  failure.explained = std::move(*explained);
  return std::nullopt;
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
