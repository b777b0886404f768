/// Race-directed hunting over pairs of sites.
///
/// Sen, "Race Directed Random Testing of Concurrent Programs", PLDI 2008, and Joshi, Naik, Park and
/// Sen, "CalFuzzer: An Extensible Active Testing Framework for Concurrent Programs", CAV 2009,
/// bring two threads to a pair of racing statements at the same time and run them in either order.
/// Here a pair is a constraint on sites, for all threads: "all of A before the first B", or the
/// reverse. Contended locks are pairs, too. Several pairs are combined, and POS decides all other
/// steps.
#pragma once

#include <map>
#include <utility>

#include "base/random.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class PairStrategy final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "pairs"; }

  /// Proposes each single pair in both orders, starting with orders that no run has had; then
  /// combinations of one to three pairs.
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  /// Whether an order of a single pair is still to be proposed.
  [[nodiscard]] bool has_singles(const Knowledge& known) const;

 private:
  struct Order {
    std::size_t pair = 0;
    bool turned = false;  // `second` comes first
  };

  void queue_singles(const Knowledge& known, std::uint64_t seed);

  std::size_t queued_ = 0;      // pairs whose orders have been added to `singles_`
  std::vector<Order> singles_;  // the next one is at the end
};

/// "`first` before `then`", in all threads.
wire::Constraint before(wire::Site first, wire::Site then, const Knowledge& known);

}  // namespace unravel
