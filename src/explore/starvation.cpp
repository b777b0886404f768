/// A thread that is not scheduled for long is what a loaded machine does to a program, and what
/// priorities per operation almost never do: every further operation is another draw. Here each
/// thread is one of those that wait with some chance, and the others go by POS.
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
