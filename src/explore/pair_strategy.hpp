/// Race-directed hunting over pairs of sites.
///
/// Sen, "Race Directed Random Testing of Concurrent Programs", PLDI 2008, and Joshi, Naik, Park and
/// Sen, "CalFuzzer: An Extensible Active Testing Framework for Concurrent Programs", CAV 2009,
/// bring two threads to a pair of racing statements at the same time and run them in either order.
/// Here a pair is a constraint on sites, for all threads: "all of A before the first B", or the
/// reverse. Contended locks are pairs, too. Several pairs are combined, and POS decides all other
/// steps.
///
/// Where several threads come to both sites, as in a pool of workers, such an order says little:
/// each thread comes to A before B anyway. Then threads are named by the order in which they come:
/// "A of the second thread that comes there before B of the first", at each object at which they
/// met.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "explore/strategy.hpp"

namespace unravel {

/// An order of a pair.
struct PairOrder {
  std::size_t pair = 0;
  bool turned = false;  // `second` comes first
  // The threads, by their arrival at the two sites; 0: any thread.
  std::uint32_t first_arrival = 0;
  std::uint32_t then_arrival = 0;
  std::uint64_t object = 0;  // at which they come; 0: any

  /// Whether this is how threads go that come one after the other.
  [[nodiscard]] bool is_usual() const { return first_arrival && first_arrival < then_arrival; }
};

/// The orders of a pair for all threads. Of one site it is: all threads meet there.
std::vector<PairOrder> plain_orders_of(const Knowledge& known, std::size_t pair);
/// The orders that name threads; none if no two threads come to both sites.
std::vector<PairOrder> named_orders_of(const Knowledge& known, std::size_t pair);
/// One of either kind.
PairOrder any_order_of(const Knowledge& known, std::size_t pair, Random& random);

/// For how many steps a constraint may hold a thread back.
std::uint64_t patience(const Knowledge& known);

/// A constraint for an order.
wire::Constraint constraint_for(const PairOrder& order, const Knowledge& known);

class PairStrategy final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "pairs"; }

  /// Proposes each single pair in both orders, starting with orders that no run has had; then
  /// orders that name threads; then combinations of one to three orders.
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
  /// Orders that a run kept are the ones to combine.
  void observe(const Proposal& proposal, const Observation& seen) override;

  /// Whether a plain order of a single pair is still to be proposed.
  [[nodiscard]] bool has_plain(const Knowledge& known) const;
  /// The same of orders that name threads.
  [[nodiscard]] bool has_named() const { return !named_.empty(); }

 private:
  void queue_singles(const Knowledge& known, std::uint64_t seed);

  std::size_t queued_ = 0;        // pairs whose orders have been added to the next two
  std::vector<PairOrder> plain_;  // the next one is at the end
  std::vector<PairOrder> named_;
  std::vector<wire::Constraint> possible_;  // single orders that were kept
};

}  // namespace unravel
