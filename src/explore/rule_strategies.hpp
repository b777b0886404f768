/// Strategies that leave every step of a run to a rule.
#pragma once

#include "explore/strategy.hpp"

namespace unravel {

/// Switches with some probability at every point, to any thread that can run.
class RandomWalk final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "random"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
};

/// Random priorities of threads; at a few points a thread drops to the lowest.
class Pct final : public Strategy {
 public:
  static constexpr unsigned kMostDepth = 5;

  [[nodiscard]] std::string_view name() const override { return "pct"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  /// The bug depth for which PCT made this proposal; 0 if PCT did not make it.
  static unsigned depth_of(const Proposal& proposal);
  /// Lower bound of the chance that one run finds a bug of this depth.
  static double chance(unsigned depth, const Knowledge& known);
};

/// Random priorities of operations, redrawn among operations that race with each other.
class Pos final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "pos"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  static wire::Rule rule(std::uint64_t seed);
};

/// Some threads run only when no other can.
class Starvation final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "starvation"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
};

}  // namespace unravel
