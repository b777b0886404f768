#include "run/pool_laboratory.hpp"

namespace unravel {

Shown shown_by(const Run& run, const std::string& key) {
  if (run.summary.outcome == Outcome::kPassed) return Shown::kPasses;
  const bool is_it =
      run.summary.outcome == Outcome::kFailed && run.failure && run.failure->key == key;
  return is_it ? Shown::kFails : Shown::kOther;
}

Result<std::vector<Trial>> PoolLaboratory::perform(const std::vector<Proposal>& proposals) {
  std::vector<std::future<Result<Run>>> going_on;
  for (const Proposal& proposal : proposals) {
    RunRequest request;
    request.schedule = proposal.schedule;
    request.following = proposal.following;
    request.pairs = false;
    if (proposal.following == wire::Following::kNothing) {
      request.marks = std::make_shared<const std::vector<wire::Site>>(proposal.schedule.marks);
    }
    going_on.push_back(pool_.submit(std::move(request)));
  }
  std::vector<Trial> trials;
  for (auto& future : going_on) {
    Result<Run> run = future.get();
    if (!run) return fail(run.error());
    if (run->summary.outcome == Outcome::kError) return internal_error(run->explanation);
    const Shown shown = shown_by(*run, key_);
    trials.push_back({.shown = shown, .run = std::move(*run)});
  }
  return trials;
}

}  // namespace unravel
