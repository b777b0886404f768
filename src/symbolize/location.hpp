/// The location of a variable in a stopped program, from its DWARF expression.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>

#include "symbolize/process_memory.hpp"
#include "symbolize/unwinder.hpp"

namespace unravel {

/// An address in memory, or a value that is in no memory.
struct Location {
  bool in_memory = true;
  std::uint64_t value = 0;  // the address, or the value itself

  bool operator==(const Location&) const = default;
};

/// What an expression may refer to.
struct Surroundings {
  const FrameState* frame = nullptr;  // null: only locations that are the same in all frames
  std::optional<std::uint64_t> frame_base = {};
  std::uint64_t shift = 0;  // from debug information addresses to those of the process
  ProcessMemory* memory = nullptr;
};

/// Nothing if the location is not known at this code address, needs something unknown, such as a
/// register that a call did not preserve, or uses an unsupported operation. A guess would show the
/// name of another variable.
std::optional<Location> locate(Dwarf_Attribute& location, Dwarf_Addr code,
                               const Surroundings& around);

}  // namespace unravel
