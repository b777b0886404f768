/// Strategies that leave every step of a run to a rule.
#pragma once

#include "explore/strategy.hpp"

namespace unravel {

/// At every point a switch with some probability, to any thread that can run.
class RandomWalk final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "random"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
};

/// Priorities of threads, and a few points at which one falls to the bottom.
class Pct final : public Strategy {
 public:
  static constexpr unsigned kMostDepth = 5;

  [[nodiscard]] std::string_view name() const override { return "pct"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  /// How many orders a run of this proposal was made to get right; 0 if it is not one of PCT.
  static unsigned depth_of(const Proposal& proposal);
  /// At least so likely does one run find a bug that needs `depth` orders.
  static double chance(unsigned depth, const Knowledge& known);
};

/// Priorities of operations, drawn anew among those that race with each other.
class Pos final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "pos"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  static wire::Rule rule(std::uint64_t seed);
};

/// Some threads only go on when no other can.
class Starvation final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "starvation"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
};

}  // namespace unravel
