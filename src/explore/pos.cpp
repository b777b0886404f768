/// Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling", CAV 2018: see the rule. Two
/// differences from the paper: points that act on no object keep their thread's priority, and a
/// timed wait may end early, as under every rule.
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
