/// Race-directed hunting over pairs of sites.
///
/// Sen, "Race Directed Random Testing of Concurrent Programs", PLDI 2008, and Joshi, Naik, Park and
/// Sen, "CalFuzzer: An Extensible Active Testing Framework for Concurrent Programs", CAV 2009,
/// bring two threads to a pair of racing statements at the same time and let them go in either
/// order. Here the pair is a constraint on sites over all threads, "all of A before the first B" or
/// the reverse; contended locks count as pairs, too; and several pairs are combined, over POS.
#pragma once

#include <map>
#include <utility>

#include "base/random.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class PairStrategy final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "pairs"; }

  /// First every pair by itself in both orders, those first that no run has had; then
  /// combinations of one to three.
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  /// Whether some order of a single pair was not proposed yet.
  [[nodiscard]] bool has_singles(const Knowledge& known) const;

 private:
  struct Order {
    std::size_t pair = 0;
    bool turned = false;  // `second` first
  };

  void queue_singles(const Knowledge& known, std::uint64_t seed);

  std::size_t queued_ = 0;      // pairs whose orders are in `singles_`, or were
  std::vector<Order> singles_;  // the next is the last
};

/// `first` before `then`, wherever they are made.
wire::Constraint before(wire::Site first, wire::Site then, const Knowledge& known);

}  // namespace unravel
