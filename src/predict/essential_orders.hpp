/// Which orders made a run what it was: conflicts across the moments at which a thread was held up.
///
/// While a thread was preempted, or had not begun, others did things. What they did before it came
/// to something that conflicts, and what it had done before they came to something that conflicts,
/// are the orders that the switch brought about. Those at the end of a run come first: what decides
/// a failure is near it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/schedule.hpp"
#include "data/trace.hpp"

namespace unravel {

/// Made by whichever thread: `occurrence` counts over all of them, from 1.
struct OrderedEvent {
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  std::uint64_t occurrence = 0;

  friend bool operator==(const OrderedEvent&, const OrderedEvent&) = default;
};

/// In the run, `first` came before `then`; with the smallest occurrence of `then` for which that is
/// so, since it says most.
struct EssentialOrder {
  OrderedEvent first;
  OrderedEvent then;

  friend bool operator==(const EssentialOrder&, const EssentialOrder&) = default;
};

/// As many as a run may have constraints, and some are left for whoever adds his own.
inline constexpr std::size_t kMostEssentialOrders = 16;

/// `slices` is the schedule of the run whose whole trace it is.
std::vector<EssentialOrder> essential_orders(const Trace& trace,
                                             std::span<const wire::Slice> slices);

}  // namespace unravel
