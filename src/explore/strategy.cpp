#include "explore/strategy.hpp"

#include "explore/pair_strategy.hpp"
#include "explore/portfolio.hpp"
#include "explore/predicted.hpp"
#include "explore/reads_from.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

Proposal by_rule(const Strategy& strategy, wire::Rule rule) {
  Proposal proposal;
  proposal.schedule.then = rule;
  proposal.strategy = strategy.name();
  return proposal;
}

namespace {

struct StrategyEntry {
  std::string_view name;
  std::unique_ptr<Strategy> (*make)();
};

template <class T>
std::unique_ptr<Strategy> make() {
  return std::make_unique<T>();
}

std::unique_ptr<Strategy> make_portfolio() {
  return std::make_unique<Portfolio>(Portfolio::everything());
}

/// All strategies that a user can name. The first is the default.
constexpr StrategyEntry kStrategies[] = {
    {"portfolio", make_portfolio},
    {"random", make<RandomWalk>},
    {"pct", make<Pct>},
    {"pos", make<Pos>},
    {"pairs", make<PairStrategy>},
    {"predicted", make<Predicted>},
    {"reads-from", make<ReadsFrom>},
    {"starvation", make<Starvation>},
};

}  // namespace

const std::vector<std::string_view>& strategy_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const StrategyEntry& entry : kStrategies) all.push_back(entry.name);
    return all;
  }();
  return names;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name) {
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.name == name) return entry.make();
  }
  return nullptr;
}

}  // namespace unravel
