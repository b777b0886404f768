#include "explore/predicted.hpp"

namespace unravel {

std::optional<Proposal> Predicted::propose(const Knowledge&, std::uint64_t) {
  if (waiting_.empty()) return std::nullopt;
  Proposal next = std::move(waiting_.extract(waiting_.begin()).value().proposal);
  slices_ -= next.schedule.slices.size();
  next.is_lesson = true;
  next.strategy = name();
  return next;
}

void Predicted::offer(const std::vector<PredictedRun>& runs) {
  for (const PredictedRun& run : runs) {
    if (!offered_.add(hash_of_proposal(run.proposal))) continue;
    slices_ += run.proposal.schedule.slices.size();
    waiting_.insert({.cost = run.cost, .number = number_++, .proposal = run.proposal});
  }
  while (slices_ > kMostSlices && waiting_.size() > 1) {
    slices_ -= std::prev(waiting_.end())->proposal.schedule.slices.size();
    waiting_.erase(std::prev(waiting_.end()));
  }
}

}  // namespace unravel
