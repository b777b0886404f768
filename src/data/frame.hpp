/// One source-level frame: what a code address means to a person.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unravel {

struct Frame {
  std::string function;  // demangled; empty if unknown
  std::string file;      // empty if unknown
  int line = 0;
  std::string module;        // path of the ELF file
  std::uint64_t offset = 0;  // from where the module's first byte is mapped
  bool inlined = false;

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// Innermost first, with inlined calls.
using Stack = std::vector<Frame>;

}  // namespace unravel
