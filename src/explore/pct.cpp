/// Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with Probabilistic
/// Guarantees of Finding Bugs", ASPLOS 2010. The paper takes depth and length as given. Here the
/// depth is drawn for each run, and the length is that of the longest run so far. Lowering a
/// spinning thread does not use up a change point (see the rule).
#include <cmath>

#include "base/random.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

std::optional<Proposal> Pct::propose(const Knowledge& known, std::uint64_t seed) {
  Random random(seed);
  wire::Rule rule;
  rule.kind = wire::RuleKind::kPriority;
  rule.drawn_change_points = static_cast<std::uint8_t>(random.below(kMostDepth));
  rule.length = known.length;
  rule.seed = seed;
  return by_rule(*this, rule);
}

unsigned Pct::depth_of(const Proposal& proposal) {
  const wire::Rule& rule = proposal.schedule.then;
  const bool is_pct = rule.kind == wire::RuleKind::kPriority && !rule.redraws && rule.length > 0;
  return is_pct ? rule.drawn_change_points + 1u : 0u;
}

double Pct::chance(unsigned depth, const Knowledge& known) {
  return 1.0 / (known.threads * std::pow(static_cast<double>(known.longest), depth - 1.0));
}

}  // namespace unravel
