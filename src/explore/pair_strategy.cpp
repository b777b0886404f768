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

std::vector<PairOrder> plain_orders_of(const Knowledge& known, std::size_t pair) {
  std::vector<PairOrder> orders = {{.pair = pair}};
  const bool is_one_site = known.pairs[pair].first == known.pairs[pair].second;
  if (!is_one_site) orders.push_back({.pair = pair, .turned = true});
  return orders;
}

std::vector<PairOrder> named_orders_of(const Knowledge& known, std::size_t pair) {
  const SitePair& sites = known.pairs[pair];
  if (!sites.is_shared) return {};
  const std::vector<std::uint64_t> anywhere = {0};
  const std::vector<std::uint64_t>& objects = sites.objects.empty() ? anywhere : sites.objects;
  std::vector<PairOrder> orders;
  for (PairOrder order : plain_orders_of(known, pair)) {
    for (const std::uint64_t object : objects) {
      order.object = object;
      order.first_arrival = 2;
      order.then_arrival = 1;
      orders.push_back(order);
      // At one site the first thread to come is first anyway.
      if (sites.first == sites.second) continue;
      std::swap(order.first_arrival, order.then_arrival);
      orders.push_back(order);
    }
  }
  return orders;
}

PairOrder any_order_of(const Knowledge& known, std::size_t pair, Random& random) {
  const std::vector<PairOrder> named = named_orders_of(known, pair);
  const bool is_named = !named.empty() && random.below(2) == 0;
  const std::vector<PairOrder> orders = is_named ? named : plain_orders_of(known, pair);
  return orders[random.below(orders.size())];
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
  const auto name = [&](wire::EventPattern& pattern, std::uint32_t arrival) {
    if (!arrival) return;
    pattern.object = order.object;
    pattern.whose = wire::Whose::kArrival;
    pattern.thread = arrival;
    pattern.occurrence = 1;
  };
  name(constraint.first, order.first_arrival);
  name(constraint.then, order.then_arrival);
  return constraint;
}

bool PairStrategy::has_plain(const Knowledge& known) const {
  return !plain_.empty() || queued_ < known.pairs.size();
}

// Orders that no run has had come first, and memory accesses come before locks. Within each kind
// the order is random: nothing is known about which pair matters.
void PairStrategy::queue_singles(const Knowledge& known, std::uint64_t seed) {
  using Ranked = std::vector<std::pair<std::uint64_t, PairOrder>>;
  Ranked plain;
  Ranked named;
  Random random(seed);
  Random random_of_named(~seed);
  for (; queued_ < known.pairs.size(); ++queued_) {
    const SitePair& pair = known.pairs[queued_];
    const auto add = [&](Ranked& ranked, const PairOrder& order, bool seen, Random& drawn) {
      const std::uint64_t rank = (seen ? 2u : 0u) + (pair.is_data ? 0u : 1u);
      ranked.push_back({rank << 32 | (drawn.next() >> 32), order});
    };
    for (const PairOrder& order : plain_orders_of(known, queued_)) {
      add(plain, order, order.turned ? pair.seen_second : pair.seen_first, random);
    }
    for (const PairOrder& order : named_orders_of(known, queued_)) {
      add(named, order, order.is_usual(), random_of_named);
    }
  }
  const auto queue = [](Ranked& ranked, std::vector<PairOrder>& orders) {
    std::sort(ranked.begin(), ranked.end(),
              [](const auto& one, const auto& other) { return one.first > other.first; });
    for (const auto& [rank, order] : ranked) orders.push_back(order);  // new pairs go first
  };
  queue(plain, plain_);
  queue(named, named_);
}

std::optional<Proposal> PairStrategy::propose(const Knowledge& known, std::uint64_t seed) {
  if (known.pairs.empty()) return std::nullopt;
  queue_singles(known, seed);
  Proposal proposal = by_rule(*this, Pos::rule(seed));
  std::vector<wire::Constraint>& constraints = proposal.schedule.constraints;
  for (std::vector<PairOrder>* singles : {&plain_, &named_}) {
    if (singles->empty()) continue;
    constraints.push_back(constraint_for(singles->back(), known));
    singles->pop_back();
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
    constraints.push_back(constraint_for(any_order_of(known, drawn, random), known));
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
