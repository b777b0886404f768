/// Where a variable is while the program stands still, by its DWARF expression.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>

#include "symbolize/process_memory.hpp"
#include "symbolize/unwinder.hpp"

namespace unravel {

/// In memory, or its value is known without being there.
struct Location {
  bool in_memory = true;
  std::uint64_t value = 0;  // the address, or the value itself

  bool operator==(const Location&) const = default;
};

/// What an expression may refer to.
struct Surroundings {
  const FrameState* frame = nullptr;  // none: only what is the same in all frames
  std::optional<std::uint64_t> frame_base = {};
  std::uint64_t shift = 0;  // from addresses of the debug information to those of the process
  ProcessMemory* memory = nullptr;
};

/// Nothing if it is not known at this place of the code, needs something that is not known, such
/// as a register that a call did not preserve, or is of a kind that is not understood. Guessing
/// would show another variable's name.
std::optional<Location> locate(Dwarf_Attribute& location, Dwarf_Addr code,
                               const Surroundings& around);

}  // namespace unravel
