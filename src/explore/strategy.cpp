#include "explore/strategy.hpp"

#include "explore/pair_strategy.hpp"
#include "explore/portfolio.hpp"
#include "explore/reads_from.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

Proposal by_rule(const Strategy& strategy, wire::Rule rule) {
  Proposal proposal;
  proposal.schedule.then = rule;
  proposal.strategy = strategy.name();
  return proposal;
}

const std::vector<std::string_view>& strategy_names() {
  static const std::vector<std::string_view> names = {"portfolio", "random",     "pct",       "pos",
                                                      "pairs",     "reads-from", "starvation"};
  return names;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name) {
  if (name == "portfolio") return std::make_unique<Portfolio>(Portfolio::everything());
  if (name == "random") return std::make_unique<RandomWalk>();
  if (name == "pct") return std::make_unique<Pct>();
  if (name == "pos") return std::make_unique<Pos>();
  if (name == "pairs") return std::make_unique<PairStrategy>();
  if (name == "reads-from") return std::make_unique<ReadsFrom>();
  if (name == "starvation") return std::make_unique<Starvation>();
  return nullptr;
}

}  // namespace unravel
