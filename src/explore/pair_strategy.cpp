#include "explore/pair_strategy.hpp"

#include <algorithm>
#include <utility>

#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

constexpr std::uint64_t kMostCombined = 3;

// Limits memory; more orders could not all be combined anyway. Chosen by hand.
constexpr std::size_t kMostPossible = 4096;

}  // namespace

std::vector<PairOrder> orders_of(const Knowledge& known, std::size_t pair) {
  const SitePair& sites = known.pairs[pair];
  const bool is_one_site = sites.first == sites.second;
  std::vector<PairOrder> orders;
  for (const bool turned : {false, true}) {
    if (turned && is_one_site) continue;
    if (!is_one_site || !sites.is_shared) orders.push_back({.pair = pair, .turned = turned});
    if (!sites.is_shared) continue;
    orders.push_back({.pair = pair, .turned = turned, .first_arrival = 2, .then_arrival = 1});
    // At one site the first thread to come is first anyway.
    if (is_one_site) continue;
    orders.push_back({.pair = pair, .turned = turned, .first_arrival = 1, .then_arrival = 2});
  }
  return orders;
}

// Little more than a whole run takes: the other threads may spin until the thread continues.
std::uint64_t patience(const Knowledge& known) {
  constexpr std::uint64_t kShortest = 200;
  return 2 * known.length + kShortest;
}

wire::Constraint constraint_for(const PairOrder& order, const Knowledge& known) {
  const SitePair& pair = known.pairs[order.pair];
  wire::Constraint constraint;
  constraint.first.site = order.turned ? pair.second : pair.first;
  constraint.then.site = order.turned ? pair.first : pair.second;
  constraint.give_up = patience(known);
  const auto name = [](wire::EventPattern& pattern, std::uint32_t arrival) {
    if (!arrival) return;
    pattern.whose = wire::Whose::kArrival;
    pattern.thread = arrival;
    pattern.occurrence = 1;
  };
  name(constraint.first, order.first_arrival);
  name(constraint.then, order.then_arrival);
  return constraint;
}

bool PairStrategy::has_singles(const Knowledge& known) const {
  return !singles_.empty() || queued_ < known.pairs.size();
}

// Orders that no run has had come first, and memory accesses come before locks. Within each kind
// the order is random: nothing is known about which pair matters.
void PairStrategy::queue_singles(const Knowledge& known, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<std::uint64_t, PairOrder>> ranked;
  for (; queued_ < known.pairs.size(); ++queued_) {
    const SitePair& pair = known.pairs[queued_];
    for (const PairOrder& order : orders_of(known, queued_)) {
      const bool seen = order.turned ? pair.seen_second : pair.seen_first;
      const std::uint64_t rank = (seen ? 2u : 0u) + (pair.is_data ? 0u : 1u);
      ranked.push_back({rank << 32 | (random.next() >> 32), order});
    }
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& one, const auto& other) { return one.first > other.first; });
  for (const auto& [rank, order] : ranked) singles_.push_back(order);  // new pairs go first
}

std::optional<Proposal> PairStrategy::propose(const Knowledge& known, std::uint64_t seed) {
  if (known.pairs.empty()) return std::nullopt;
  queue_singles(known, seed);
  Proposal proposal = by_rule(*this, Pos::rule(seed));
  std::vector<wire::Constraint>& constraints = proposal.schedule.constraints;
  if (!singles_.empty()) {
    constraints.push_back(constraint_for(singles_.back(), known));
    singles_.pop_back();
    return proposal;
  }
  Random random(seed);
  const bool combines_possible = !possible_.empty() && random.below(4) != 0;
  const std::uint64_t choices = combines_possible ? possible_.size() : known.pairs.size();
  const std::uint64_t count = 1 + random.below(std::min(kMostCombined, choices));
  for (const std::uint64_t drawn : random.sample(count, 0, choices - 1)) {
    if (combines_possible) {
      constraints.push_back(possible_[drawn]);
      continue;
    }
    const std::vector<PairOrder> orders = orders_of(known, drawn);
    constraints.push_back(constraint_for(orders[random.below(orders.size())], known));
  }
  return proposal;
}

void PairStrategy::observe(const Proposal& proposal, const Observation& seen) {
  const std::vector<wire::Constraint>& constraints = proposal.schedule.constraints;
  if (constraints.size() != 1 || !(seen.run.kept & 1) || possible_.size() == kMostPossible) return;
  if (std::find(possible_.begin(), possible_.end(), constraints[0]) == possible_.end()) {
    possible_.push_back(constraints[0]);
  }
}

}  // namespace unravel
