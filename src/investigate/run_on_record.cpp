#include "investigate/run_on_record.hpp"

#include "data/served_inputs.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/repetition.hpp"

namespace unravel {

namespace {

// Runs under random schedules, if the recorded one leads elsewhere. Chosen by hand.
constexpr std::uint64_t kMostRandom = 100;

bool is_same_outcome(const Run& before, const Run& now) {
  if (before.summary.outcome != now.summary.outcome) return false;
  if (!before.failure || !now.failure) return !before.failure && !now.failure;
  return before.failure->key == now.failure->key;
}

/// The first attempt follows the recorded schedule; the others are random.
RunRequest request_of(const Run& kept, std::uint64_t attempt) {
  RunRequest request;
  request.schedule = kept.schedule;
  request.schedule.complete = false;
  request.schedule.then = {.kind = wire::RuleKind::kStay};
  request.following = wire::Following::kLenient;
  if (attempt == 0) return request;
  request.following = wire::Following::kNothing;
  request.schedule.slices.clear();
  request.schedule.choices.clear();
  request.schedule.clock_switches.clear();
  request.schedule.then = {.kind = wire::RuleKind::kRandom};
  request.schedule.then.seed = wire::seed_of(kept.summary.seed, attempt);
  request.marks = std::make_shared<const std::vector<wire::Site>>(kept.schedule.marks);
  return request;
}

}  // namespace

std::shared_ptr<const InputLog> inputs_by_stream(std::shared_ptr<const InputLog> recorded,
                                                 Observer& observer) {
  std::shared_ptr<const InputLog> log = usable(std::move(recorded));
  if (!log) return nullptr;
  auto served = as_served(std::move(log));
  if (served) return std::move(*served);
  observer.warn(served.error().what + ": " + served.error().why + "; " + served.error().hint);
  return nullptr;
}

std::shared_ptr<const InputLog> inputs_by_stream(const OpenedRun& opened, Observer& observer) {
  auto recorded = opened.store.inputs(opened.stored.run.id);
  if (recorded) return inputs_by_stream(std::move(*recorded), observer);
  observer.warn(recorded.error().what + ": " + recorded.error().why +
                "; the inputs are taken from outside again");
  return nullptr;
}

bool needs_record(const Run& kept, const InputLog* recorded) {
  return asks_outside(kept.schedule) || (recorded && is_served(*recorded));
}

bool needs_record(const OpenedRun& opened) {
  const auto recorded = opened.store.inputs(opened.stored.run.id);
  return needs_record(opened.stored.run, recorded ? recorded->get() : nullptr);
}

Result<RunOnRecord> run_on_record(Pool& pool, const Run& kept) {
  RunOnRecord result;
  const std::uint64_t most = kept.failure ? kMostRandom : 0;
  for (std::uint64_t attempt = 0; attempt <= most; ++attempt) {
    Result<Run> run = pool.submit(request_of(kept, attempt)).get();
    if (!run) return fail(run.error());
    if (attempt == 0) result.why_not = difference(kept, *run);
    if (!is_same_outcome(kept, *run)) continue;
    RunRequest strict;
    strict.schedule = run->schedule;
    strict.following = wire::Following::kStrict;
    const Result<Run> again = pool.submit(std::move(strict)).get();
    if (!again) return fail(again.error());
    if (const std::string differs = difference(*run, *again); !differs.empty()) {
      result.why_not = "a replay of the run that was found differs: " + differs;
      continue;
    }
    run->id = kept.id;
    run->strategy = kept.strategy;
    run->summary.seed = kept.summary.seed;
    result.run = std::move(*run);
    return result;
  }
  return result;
}

}  // namespace unravel
