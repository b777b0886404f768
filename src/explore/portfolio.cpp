#include "explore/portfolio.hpp"

#include <cmath>

#include "base/random.hpp"
#include "explore/pair_strategy.hpp"
#include "explore/reads_from.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// This many of four runs go to single pairs, as long as there are any; then to those that name
// threads. All constants here are chosen by hand; bench/README.md (hunt) has the result of the
// whole.
constexpr std::uint64_t kPlainOfFour = 3;
constexpr std::uint64_t kNamedOfFour = 2;
// After this many single pairs, the other strategies get their full share.
constexpr std::uint64_t kMostSinglesFirst = 200;

// The reward of a run. Two sites that never met before are rarer than a new order of known sites.
constexpr double kNewPairs = 1.0;
constexpr double kNewBehaviour = 0.4;
// Weight of the latest run in the moving average.
constexpr double kLatest = 0.05;
// Every strategy gets at least this part of an equal share.
constexpr double kLeastShare = 0.35;

}  // namespace

Portfolio::Portfolio(std::vector<std::unique_ptr<Strategy>> strategies) {
  for (auto& strategy : strategies) {
    if (auto* pairs = dynamic_cast<PairStrategy*>(strategy.get())) pairs_ = pairs;
    arms_.push_back({.strategy = std::move(strategy)});
  }
}

Portfolio Portfolio::everything() {
  std::vector<std::unique_ptr<Strategy>> all;
  all.push_back(std::make_unique<PairStrategy>());
  all.push_back(std::make_unique<Pos>());
  all.push_back(std::make_unique<RandomWalk>());
  all.push_back(std::make_unique<Pct>());
  all.push_back(std::make_unique<ReadsFrom>());
  all.push_back(std::make_unique<Starvation>());
  return Portfolio(std::move(all));
}

Portfolio::Arm& Portfolio::draw(std::uint64_t seed) {
  double all = 0;
  for (const Arm& arm : arms_) all += arm.reward;
  const double least = kLeastShare * std::max(all, 1e-3) / static_cast<double>(arms_.size());
  const auto weight = [&](const Arm& arm) { return least + (1 - kLeastShare) * arm.reward; };
  double total = 0;
  for (const Arm& arm : arms_) total += weight(arm);
  double at = total * static_cast<double>(Random(seed).next() >> 11) * 0x1p-53;
  for (Arm& arm : arms_) {
    at -= weight(arm);
    if (at < 0) return arm;
  }
  return arms_.back();
}

std::uint64_t Portfolio::singles_of_four(const Knowledge& known) const {
  if (!pairs_ || proposed_ >= kMostSinglesFirst) return 0;
  if (pairs_->has_plain(known)) return kPlainOfFour;
  return pairs_->has_named() ? kNamedOfFour : 0;
}

std::optional<Proposal> Portfolio::propose(const Knowledge& known, std::uint64_t seed) {
  const bool is_single = proposed_ % 4 < singles_of_four(known);
  ++proposed_;
  if (is_single) return pairs_->propose(known, seed);
  // ~seed: the strategy itself draws from `seed`.
  if (auto proposal = draw(~seed).strategy->propose(known, seed)) return proposal;
  for (Arm& arm : arms_) {
    if (auto proposal = arm.strategy->propose(known, seed)) return proposal;
  }
  return std::nullopt;
}

Portfolio::Arm* Portfolio::arm_of(std::string_view strategy) {
  for (Arm& arm : arms_) {
    if (arm.strategy->name() == strategy) return &arm;
  }
  return nullptr;
}

void Portfolio::observe(const Proposal& proposal, const Observation& seen) {
  Arm* arm = arm_of(proposal.strategy);
  if (!arm) return;
  const double worth = seen.run.new_pairs ? kNewPairs : seen.is_new_behaviour ? kNewBehaviour : 0.0;
  arm->reward += kLatest * (worth - arm->reward);
  ++arm->runs;
  arm->new_behaviours += seen.is_new_behaviour;
  arm->strategy->observe(proposal, seen);
}

std::vector<Portfolio::Share> Portfolio::shares() const {
  std::vector<Share> shares;
  for (const Arm& arm : arms_) {
    shares.push_back({arm.strategy->name(), arm.runs, arm.new_behaviours});
  }
  return shares;
}

}  // namespace unravel
