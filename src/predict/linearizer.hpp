/// Puts the events of a closed part into an order that follows the rules: see reordering.hpp.
#pragma once

#include <optional>
#include <vector>

#include "predict/closed_part.hpp"

namespace unravel {

/// `extra` are orders that are wanted besides. Nothing: there is no order, or it was not found in a
/// limited number of steps.
std::optional<std::vector<EventIndex>> linearize(const History& history, const ReorderRules& rules,
                                                 const ClosedPart& part,
                                                 const std::vector<OrderEdge>& extra);

}  // namespace unravel
