#include "base/random.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

// Switching at every point hides bugs that need a long undisturbed stretch (a full queue); a low
// rate hides bugs that need many switches. So each run draws a rate. In a long run most points do
// not matter, so the lowest rates are a few switches per run of the learnt length.
std::optional<Proposal> RandomWalk::propose(const Knowledge& known, std::uint64_t seed) {
  Random random(seed);
  const auto per_run = [&](std::uint64_t switches) {
    const std::uint64_t rate = wire::kCertain * switches / known.length;
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(rate, 1, std::uint64_t{wire::kCertain} / 2));
  };
  const std::uint32_t rates[] = {wire::kCertain,      wire::kCertain / 2, wire::kCertain / 6,
                                 wire::kCertain / 32, per_run(3),         per_run(12)};
  wire::Rule rule;
  rule.kind = wire::RuleKind::kRandom;
  rule.switch_probability = rates[random.below(std::size(rates))];
  rule.seed = seed;
  return by_rule(*this, rule);
}

}  // namespace unravel
