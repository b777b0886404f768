#include "explore/pair_strategy.hpp"

#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

constexpr std::uint64_t kMostCombined = 3;

wire::Constraint constraint_for(const SitePair& pair, bool turned, const Knowledge& known) {
  return turned ? before(pair.second, pair.first, known) : before(pair.first, pair.second, known);
}

}  // namespace

// A thread is held back for little longer than a whole run takes: the other threads may spin until
// it continues.
wire::Constraint before(wire::Site first, wire::Site then, const Knowledge& known) {
  constexpr std::uint64_t kShortest = 200;
  wire::Constraint constraint;
  constraint.first.site = first;
  constraint.then.site = then;
  constraint.give_up = 2 * known.length + kShortest;
  return constraint;
}

bool PairStrategy::has_singles(const Knowledge& known) const {
  return !singles_.empty() || queued_ < known.pairs.size();
}

// Orders that no run has had come first, and memory accesses come before locks. Within each kind
// the order is random: nothing is known about which pair matters.
void PairStrategy::queue_singles(const Knowledge& known, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::pair<std::uint64_t, Order>> ranked;
  for (; queued_ < known.pairs.size(); ++queued_) {
    const SitePair& pair = known.pairs[queued_];
    for (const bool turned : {false, true}) {
      if (turned && pair.first == pair.second) continue;
      const bool seen = turned ? pair.seen_second : pair.seen_first;
      const std::uint64_t rank = (seen ? 2u : 0u) + (pair.is_data ? 0u : 1u);
      ranked.push_back({rank << 32 | (random.next() >> 32), {queued_, turned}});
    }
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<Order> fresh;
  for (const auto& [rank, order] : ranked) fresh.push_back(order);
  singles_.insert(singles_.end(), fresh.begin(), fresh.end());  // new pairs go first
}

std::optional<Proposal> PairStrategy::propose(const Knowledge& known, std::uint64_t seed) {
  if (known.pairs.empty()) return std::nullopt;
  queue_singles(known, seed);
  Proposal proposal = by_rule(*this, Pos::rule(seed));
  std::vector<wire::Constraint>& constraints = proposal.schedule.constraints;
  if (!singles_.empty()) {
    const Order order = singles_.back();
    singles_.pop_back();
    constraints.push_back(constraint_for(known.pairs[order.pair], order.turned, known));
    return proposal;
  }
  Random random(seed);
  const std::uint64_t count = 1 + random.below(std::min(kMostCombined, known.pairs.size()));
  for (const std::uint64_t pair : random.sample(count, 0, known.pairs.size() - 1)) {
    constraints.push_back(constraint_for(known.pairs[pair], random.below(2) == 0, known));
  }
  return proposal;
}

}  // namespace unravel
