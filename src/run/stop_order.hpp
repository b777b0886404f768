/// The order in which a run reaches its stops.
#pragma once

#include <span>
#include <vector>

#include "wire/control.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// Sorts stops as a run of these slices reaches them. That is not the order in which the threads
/// make their operations: a thread may stand before an access while another one makes its own. A
/// stop that no slice reaches comes last.
std::vector<wire::StopAt> as_reached(std::span<const wire::StopAt> stops,
                                     std::span<const wire::Slice> slices);

}  // namespace unravel
