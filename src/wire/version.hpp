/// The bytes on which both sides of the process boundary agree.
///
/// The driver and the injected runtime are two builds in two processes, and stored schedules
/// outlive both. So everything here is fixed-width, has no pointers and no virtual functions,
/// and carries a version: one number, bumped when any byte in this folder changes its meaning.
#pragma once

#include <cstdint>

namespace unravel::wire {

inline constexpr std::uint32_t kVersion = 3;

/// Bumped when the operation table changes what counts or where the points are: clocks
/// recorded under another table would name other places.
inline constexpr std::uint32_t kOperationTableVersion = 1;

}  // namespace unravel::wire
