/// A loaded machine may leave a thread unscheduled for long. Priorities per operation almost never
/// do that: every further operation is another draw. Here each thread starves with some
/// probability, and POS schedules the others.
#include "base/random.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

std::optional<Proposal> Starvation::propose(const Knowledge&, std::uint64_t seed) {
  Random random(seed);
  constexpr std::uint32_t kShares[] = {wire::kCertain / 8, wire::kCertain / 3,
                                       wire::kCertain / 3 * 2};
  wire::Rule rule = Pos::rule(seed);
  rule.starving = kShares[random.below(std::size(kShares))];
  return by_rule(*this, rule);
}

}  // namespace unravel
