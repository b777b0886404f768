/// Wire: the bytes that driver and runtime exchange.
///
/// The driver and the injected runtime are built separately, and stored schedules outlive both. So
/// everything here has a fixed width, no pointers and no virtual functions. One version number is
/// bumped when any byte in this folder changes its meaning.
#pragma once

#include <cstdint>

namespace unravel::wire {

inline constexpr std::uint32_t kVersion = 7;

/// Bumped when the operation table changes what counts or where the points are: recorded clocks
/// would then mean other positions.
inline constexpr std::uint32_t kOperationTableVersion = 1;

}  // namespace unravel::wire
