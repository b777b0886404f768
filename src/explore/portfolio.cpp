#include "explore/portfolio.hpp"

#include <cmath>

#include "base/random.hpp"
#include "explore/pair_strategy.hpp"
#include "explore/predicted.hpp"
#include "explore/reads_from.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// All constants here are chosen by hand; bench/README.md (hunt) has the result of the whole.
// As long as single pairs find bugs in the fewest runs.
constexpr std::uint64_t kSinglesFirst = 12;
// After so many runs, single pairs and predicted runs have no fixed share any more. Predicted runs
// need longer: each follows from the one before.
constexpr std::uint64_t kSinglesShared = 200;
constexpr std::uint64_t kPredictedShared = 400;

// The reward of a run. Two sites that never met before are rarer than a new order of known sites.
constexpr double kNewPairs = 1.0;
constexpr double kNewBehaviour = 0.4;
// Weight of the latest run in the moving average.
constexpr double kLatest = 0.05;
// Every strategy gets at least this part of an equal share.
constexpr double kLeastShare = 0.35;

}  // namespace

constexpr Portfolio::Turns Portfolio::kFirst = {Turn::kSingle, Turn::kSingle, Turn::kPredicted,
                                                Turn::kSingle};
constexpr Portfolio::Turns Portfolio::kLater = {Turn::kSingle, Turn::kPredicted, Turn::kDrawn,
                                                Turn::kPredicted};
constexpr Portfolio::Turns Portfolio::kPlainOnly = {Turn::kSingle, Turn::kSingle, Turn::kSingle,
                                                    Turn::kDrawn};
constexpr Portfolio::Turns Portfolio::kNamedOnly = {Turn::kSingle, Turn::kSingle, Turn::kDrawn,
                                                    Turn::kDrawn};

Portfolio::Portfolio(std::vector<std::unique_ptr<Strategy>> strategies) {
  for (auto& strategy : strategies) {
    if (auto* pairs = dynamic_cast<PairStrategy*>(strategy.get())) pairs_ = pairs;
    if (auto* predicted = dynamic_cast<Predicted*>(strategy.get())) predicted_ = predicted;
    arms_.push_back({.strategy = std::move(strategy)});
  }
}

Portfolio Portfolio::everything() {
  std::vector<std::unique_ptr<Strategy>> all;
  all.push_back(std::make_unique<PairStrategy>());
  all.push_back(std::make_unique<Predicted>());
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

Portfolio::Turn Portfolio::next_turn(const Knowledge& known) const {
  const bool may_pair = pairs_ && proposed_ < kSinglesShared;
  const bool has_plain = may_pair && pairs_->has_plain(known);
  const bool has_single = has_plain || (may_pair && pairs_->has_named());
  const bool has_predicted = predicted_ && proposed_ < kPredictedShared && predicted_->has_any();
  const bool is_first = has_plain && proposed_ < kSinglesFirst;
  const auto& turns = !has_predicted ? (has_plain ? kPlainOnly : kNamedOnly)
                      : is_first     ? kFirst
                                     : kLater;
  const Turn turn = turns[proposed_ % turns.size()];
  return turn == Turn::kSingle && !has_single ? Turn::kDrawn : turn;
}

std::optional<Proposal> Portfolio::propose(const Knowledge& known, std::uint64_t seed) {
  const Turn turn = next_turn(known);
  ++proposed_;
  if (turn == Turn::kPredicted) return predicted_->propose(known, seed);
  if (turn == Turn::kSingle) return pairs_->propose(known, seed);
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

void Portfolio::offer(const std::vector<PredictedRun>& runs) {
  for (Arm& arm : arms_) arm.strategy->offer(runs);
}

std::vector<Portfolio::Share> Portfolio::shares() const {
  std::vector<Share> shares;
  for (const Arm& arm : arms_) {
    shares.push_back({arm.strategy->name(), arm.runs, arm.new_behaviours});
  }
  return shares;
}

}  // namespace unravel
