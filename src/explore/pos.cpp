/// Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling", CAV 2018: see the rule. Departs
/// from the paper in that points which act on nothing keep their thread's priority, and that a
/// timed wait may end early, as seeds of every rule may have it.
#include "explore/rule_strategies.hpp"

namespace unravel {

wire::Rule Pos::rule(std::uint64_t seed) {
  wire::Rule rule;
  rule.kind = wire::RuleKind::kPriority;
  rule.redraws = 1;
  rule.seed = seed;
  return rule;
}

std::optional<Proposal> Pos::propose(const Knowledge&, std::uint64_t seed) {
  return by_rule(*this, rule(seed));
}

}  // namespace unravel
