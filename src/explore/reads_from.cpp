#include "explore/reads_from.hpp"

#include "explore/pair_strategy.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// Enough to remember rare behaviours. When full, the set that was tried most is dropped. Chosen by
// hand.
constexpr std::size_t kMostKept = 256;
// Longer sets tend to contradict themselves. Chosen by hand.
constexpr std::size_t kMostConstraints = 8;
// Limits memory: some 40 bytes for each behaviour. Behaviours beyond the limit count as rare.
constexpr std::size_t kMostBehaviours = 100'000;

wire::Constraint any_constraint(const Knowledge& known, Random& random) {
  const std::size_t pair = random.below(known.pairs.size());
  PairOrder order = any_order_of(known, pair, random);
  if (order.first_arrival) {
    // Which two of the threads it is that matter is not known: mostly the first ones do.
    const std::uint32_t later = 2 + static_cast<std::uint32_t>(random.below(2) * random.below(3));
    const std::uint32_t earlier = 1 + static_cast<std::uint32_t>(random.below(later - 1));
    const bool is_later_first = order.first_arrival > order.then_arrival;
    order.first_arrival = is_later_first ? later : earlier;
    order.then_arrival = is_later_first ? earlier : later;
  }
  wire::Constraint constraint = constraint_for(order, known);
  // Most often the first occurrence decides. Chosen by hand.
  constexpr std::uint64_t kOccurrences[] = {0, 1, 1, 1, 2, 3};
  constraint.first.occurrence = kOccurrences[random.below(std::size(kOccurrences))];
  constraint.then.occurrence = random.below(4) == 0 ? 1 + random.below(3) : 0;
  return constraint;
}

}  // namespace

void ReadsFrom::mutate(std::vector<wire::Constraint>& constraints, const Knowledge& known,
                       Random& random) {
  const std::uint64_t how = constraints.empty() ? 0 : random.below(4);
  const std::size_t which = constraints.empty() ? 0 : random.below(constraints.size());
  switch (how) {
    case 1: std::swap(constraints[which].first, constraints[which].then); break;
    case 2: constraints.erase(constraints.begin() + static_cast<std::ptrdiff_t>(which)); break;
    case 3: constraints[which] = any_constraint(known, random); break;
    default:
      if (constraints.size() < kMostConstraints) {
        constraints.push_back(any_constraint(known, random));
      }
  }
}

/// Among sets with a rare behaviour, the one that was tried least.
ReadsFrom::Kept& ReadsFrom::choose(Random& random) {
  const auto cost = [&](const Kept& kept) {
    const auto seen = seen_.find(kept.behaviour);
    return kept.tries * (seen == seen_.end() ? 1 : seen->second);
  };
  std::size_t best = random.below(corpus_.size());
  for (int i = 0; i < 3; ++i) {
    const std::size_t other = random.below(corpus_.size());
    if (cost(corpus_[other]) < cost(corpus_[best])) best = other;
  }
  return corpus_[best];
}

std::optional<Proposal> ReadsFrom::propose(const Knowledge& known, std::uint64_t seed) {
  if (known.pairs.empty()) return std::nullopt;
  Random random(seed);
  Proposal proposal = by_rule(*this, Pos::rule(seed));
  std::vector<wire::Constraint>& constraints = proposal.schedule.constraints;
  if (!corpus_.empty()) {
    Kept& kept = choose(random);
    ++kept.tries;
    constraints = kept.constraints;
  }
  do mutate(constraints, known, random);
  while (random.below(3) == 0);
  return proposal;
}

void ReadsFrom::observe(const Proposal& proposal, const Observation& seen) {
  if (seen_.size() < kMostBehaviours || seen_.contains(seen.run.behaviour)) {
    ++seen_[seen.run.behaviour];
  }
  if (!seen.is_new_behaviour && seen.run.new_pairs == 0) return;
  if (corpus_.size() == kMostKept) {
    const auto most = std::max_element(
        corpus_.begin(), corpus_.end(),
        [](const Kept& one, const Kept& other) { return one.tries < other.tries; });
    corpus_.erase(most);
  }
  // A constraint that was given up did not bring the run about.
  Kept kept{.behaviour = seen.run.behaviour, .tries = 1};
  for (std::size_t i = 0; i < proposal.schedule.constraints.size(); ++i) {
    if (seen.run.given_up >> i & 1) continue;
    kept.constraints.push_back(proposal.schedule.constraints[i]);
  }
  corpus_.push_back(std::move(kept));
}

}  // namespace unravel
