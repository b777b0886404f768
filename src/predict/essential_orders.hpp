/// The orders that caused a failure: conflicts across the gaps in which a thread was held up.
///
/// While a thread was preempted, or had not begun, other threads did things. The switch caused two
/// kinds of orders: events of others that came before a conflicting event of the thread, and events
/// of the thread that came before a conflicting event of others. Orders at the end of a run come
/// first: the cause of a failure is near it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/schedule.hpp"
#include "data/trace.hpp"

namespace unravel {

/// An event of any thread: `occurrence` counts over all threads, from 1.
struct OrderedEvent {
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  std::uint64_t occurrence = 0;

  friend bool operator==(const OrderedEvent&, const OrderedEvent&) = default;
};

/// `first` came before `then` in the run. `then` has the smallest occurrence for which this is
/// true: that is the strongest statement.
struct EssentialOrder {
  OrderedEvent first;
  OrderedEvent then;

  friend bool operator==(const EssentialOrder&, const EssentialOrder&) = default;
};

/// Half of the constraints that a run may have; the others are for whoever adds more.
inline constexpr std::size_t kMostEssentialOrders = 16;

/// `slices` is the schedule of the run; `trace` is its whole trace.
std::vector<EssentialOrder> essential_orders(const Trace& trace,
                                             std::span<const wire::Slice> slices);

}  // namespace unravel
