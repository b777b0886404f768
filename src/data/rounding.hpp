/// A schedule that is to be followed in another build than the one that recorded it.
#pragma once

#include <cstdint>

#include "data/schedule.hpp"

namespace unravel {

/// Another build makes other hooks between two operations, so that `T1:12+37` names no place in it,
/// or the wrong one. Every switch that hooks were counted for is moved to the operation before it,
/// `T1:12`; slices in which nothing is left to do vanish. Returns how many switches lay at memory
/// accesses; a schedule without any is left as it is, since only clock reads count in it.
std::uint64_t round_to_operations(Schedule& schedule);

}  // namespace unravel
