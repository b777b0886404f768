/// Several strategies that share a budget; those that find something new get more of it.
///
/// Single pairs come first: they find most bugs in the fewest runs (bench/README.md, hunt). Every
/// fourth run goes to the other strategies from the start, in case the pairs show nothing. Later, a
/// strategy is drawn with a weight that follows how often its latest runs did something new. The
/// weight has a lower bound, since a strategy that finds nothing new now may still be the only one
/// that finds the bug.
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

  /// How the budget has been shared so far.
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

  /// How many of four runs go to single pairs.
  [[nodiscard]] std::uint64_t singles_of_four(const Knowledge& known) const;
  Arm& draw(std::uint64_t seed);
  Arm* arm_of(std::string_view strategy);

  std::vector<Arm> arms_;
  PairStrategy* pairs_ = nullptr;  // the one in `arms_`, if any
  std::uint64_t proposed_ = 0;
};

}  // namespace unravel
