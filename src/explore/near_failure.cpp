#include "explore/near_failure.hpp"

#include "base/random.hpp"
#include "explore/pair_strategy.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// Constraints leave other steps to chance, so each set is tried several times. Chosen by hand.
constexpr std::uint64_t kTimesAll = 8;

wire::Constraint with_patience(wire::Constraint constraint, const Knowledge& known) {
  constraint.give_up = patience(known);
  return constraint;
}

}  // namespace

NearFailure::NearFailure(Schedule schedule, std::vector<wire::Constraint> constraints)
    : schedule_(std::move(schedule)), constraints_(std::move(constraints)) {}

std::optional<Proposal> NearFailure::propose(const Knowledge& known, std::uint64_t seed) {
  const std::uint64_t turn = proposed_++;
  if (!constraints_.empty() && turn < kTimesAll) return with_all(known, seed);
  switch (turn % 4) {
    case 0:
      if (!schedule_.slices.empty()) return along_schedule(seed);
      break;
    case 1:
      if (!constraints_.empty()) return with_some(known, seed);
      break;
    default: break;
  }
  return hunt_.propose(known, seed);
}

void NearFailure::observe(const Proposal& proposal, const Observation& seen) {
  hunt_.observe(proposal, seen);
}

Proposal NearFailure::with_all(const Knowledge& known, std::uint64_t seed) const {
  Proposal proposal = by_rule(*this, Pos::rule(seed));
  proposal.strategy = kAllConstraints;
  for (const wire::Constraint& constraint : constraints_) {
    proposal.schedule.constraints.push_back(with_patience(constraint, known));
  }
  return proposal;
}

/// Takes each constraint with probability 1/2. The edit may have changed how often an operation
/// happens, so half of the time the order applies to every occurrence.
Proposal NearFailure::with_some(const Knowledge& known, std::uint64_t seed) const {
  Proposal proposal = by_rule(*this, Pos::rule(seed));
  Random random(seed);
  const bool counts = random.below(2) == 0;
  for (wire::Constraint constraint : constraints_) {
    if (random.below(2) == 0) continue;
    if (!counts) constraint.first.occurrence = constraint.then.occurrence = 0;
    proposal.schedule.constraints.push_back(with_patience(constraint, known));
  }
  return proposal;
}

/// Follows a prefix of the old schedule, then a random rule.
Proposal NearFailure::along_schedule(std::uint64_t seed) const {
  Proposal proposal;
  proposal.schedule = schedule_;
  proposal.schedule.slices.resize(1 + Random(seed).below(schedule_.slices.size()));
  proposal.schedule.complete = false;
  proposal.schedule.then = Pos::rule(seed);
  proposal.following = wire::Following::kLenient;
  proposal.strategy = kNearby;
  return proposal;
}

}  // namespace unravel
