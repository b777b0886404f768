/// Several strategies that share a budget: who finds what is new gets more of it.
///
/// Single pairs come first, since they find most bugs in the fewest runs; every fourth run goes to
/// the others from the start, in case pairs tell nothing. Then each strategy is drawn with a weight
/// that follows how often its latest runs did something new, and never falls below a share of its
/// own: what finds nothing new now may be the only one that finds the bug.
#pragma once

#include <string>

#include "explore/strategy.hpp"

namespace unravel {

class PairStrategy;

class Portfolio final : public Strategy {
 public:
  explicit Portfolio(std::vector<std::unique_ptr<Strategy>> strategies);
  static Portfolio everything();

  [[nodiscard]] std::string_view name() const override { return "portfolio"; }

  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
  void observe(const Proposal& proposal, const Observation& seen) override;

  /// How the budget was shared so far.
  struct Share {
    std::string_view strategy;
    std::uint64_t runs = 0;
    std::uint64_t new_behaviours = 0;
  };
  [[nodiscard]] std::vector<Share> shares() const;

 private:
  struct Arm {
    std::unique_ptr<Strategy> strategy;
    std::uint64_t runs = 0;
    std::uint64_t new_behaviours = 0;
    double reward = 1;  // a moving average over its latest runs
  };

  Arm& draw(std::uint64_t seed);
  Arm* arm_of(std::string_view strategy);

  std::vector<Arm> arms_;
  PairStrategy* pairs_ = nullptr;  // one of them
  std::uint64_t proposed_ = 0;
};

}  // namespace unravel
