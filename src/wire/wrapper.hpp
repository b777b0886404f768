/// How to get from a function that only wraps another to its caller.
#pragma once

#include <cstdint>

namespace unravel::wire {

/// Code of wrappers in which one rule finds the caller. What unwinders call the CFA is the stack
/// pointer as it was before the call; the return address lies right below it.
struct WrapperRow {
  enum class Kind : std::uint8_t {
    kByStack,         // CFA: the stack pointer and `offset`
    kByFramePointer,  // CFA: the frame pointer (rbp) and `offset`
    kEnd,             // no program calls from here: the wrapper itself has to do as a site
  };

  std::uint64_t begin = 0;  // an address
  std::uint32_t size = 0;
  std::int32_t offset = 0;
  std::uint32_t saved =
      0;  // the caller's frame pointer is so far below the CFA; 0: it has not changed
  Kind kind = Kind::kByStack;
  std::uint8_t reserved[3] = {};

  friend bool operator==(const WrapperRow&, const WrapperRow&) = default;
};
static_assert(sizeof(WrapperRow) == 24);

}  // namespace unravel::wire
