/// Several strategies that share a budget; those that find something new get more of it.
///
/// Single pairs come first: they find most bugs in the fewest runs (bench/README.md, hunt). One run
/// in four is a predicted one. A bug that neither has found after a dozen runs probably needs
/// several orders. Predicted runs reach those step by step, so then every second run is one, for a
/// while. The other runs go to single pairs and to the other strategies, which are drawn with a
/// weight that follows how often their latest runs did something new. The weight has a lower bound,
/// since a strategy that finds nothing new now may still be the only one that finds the bug.
#pragma once

#include <array>
#include <string>

#include "explore/strategy.hpp"

namespace unravel {

class PairStrategy;
class Predicted;

class Portfolio final : public Strategy {
 public:
  explicit Portfolio(std::vector<std::unique_ptr<Strategy>> strategies);
  static Portfolio everything();

  [[nodiscard]] std::string_view name() const override { return "portfolio"; }

  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
  void observe(const Proposal& proposal, const Observation& seen) override;
  void offer(const std::vector<PredictedRun>& runs) override;
  [[nodiscard]] bool wants_predictions() const override { return predicted_ != nullptr; }

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

  /// What the next run is.
  enum class Turn { kSingle, kPredicted, kDrawn };
  using Turns = std::array<Turn, 4>;
  static const Turns kFirst;      // with predicted runs, while single pairs come first
  static const Turns kLater;      // with predicted runs
  static const Turns kPlainOnly;  // without them, while there are plain orders of single pairs
  static const Turns kNamedOnly;  // without them, if only orders are left that name threads

  [[nodiscard]] Turn next_turn(const Knowledge& known) const;
  Arm& draw(std::uint64_t seed);
  Arm* arm_of(std::string_view strategy);

  std::vector<Arm> arms_;
  PairStrategy* pairs_ = nullptr;   // the one in `arms_`, if any
  Predicted* predicted_ = nullptr;  // the same
  std::uint64_t proposed_ = 0;
};

}  // namespace unravel
