/// Locals and parameters of a frame that stands still.
#pragma once

#include <elfutils/libdw.h>

#include <string>
#include <vector>

#include "symbolize/debug_info.hpp"
#include "symbolize/location.hpp"

namespace unravel {

struct LocalVariable {
  std::string name;
  std::string function;  // that declares it, without scope and parameters
  Dwarf_Die type;
  Location location;
  bool is_set = true;  // not if the frame stands where it is declared: it may hold anything yet
};

/// Those of the function and of the calls inlined where it stands, innermost scope first, whose
/// place is known there.
std::vector<LocalVariable> locals_of(DebugInfo& debug_info, const FrameState& frame,
                                     ProcessMemory& memory);

}  // namespace unravel
