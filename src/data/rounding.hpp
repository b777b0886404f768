/// Adapts a schedule to another build than the one that recorded it.
#pragma once

#include <cstdint>

#include "data/schedule.hpp"

namespace unravel {

/// Another build makes other hooks between two operations, so `T1:12+37` names no place in it, or
/// the wrong one. Every switch with counted hooks moves to the operation before it, `T1:12`. Slices
/// that become empty are removed. Returns how many switches were at memory accesses. A schedule
/// without such switches does not change: its hooks are only clock reads.
std::uint64_t round_to_operations(Schedule& schedule);

}  // namespace unravel
