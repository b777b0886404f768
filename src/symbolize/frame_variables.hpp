/// Locals and parameters of a stopped frame.
#pragma once

#include <elfutils/libdw.h>

#include <string>
#include <vector>

#include "symbolize/debug_info.hpp"
#include "symbolize/location.hpp"

namespace unravel {

struct LocalVariable {
  std::string name;
  std::string function;  // the declaring function, without scope and parameters
  Dwarf_Die type;
  Location location;
  bool is_set = true;  // false on the line of the declaration: the value may be garbage
};

/// The variables of the function and of calls inlined at the current address, innermost scope
/// first, if their location is known.
std::vector<LocalVariable> locals_of(DebugInfo& debug_info, const FrameState& frame,
                                     ProcessMemory& memory);

}  // namespace unravel
