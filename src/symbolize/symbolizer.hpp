/// Symbolize: names code addresses, and unwinds stacks.
///
/// This room knows ELF files, DWARF and the memory of stopped processes. It does not know runs,
/// schedules or traces. It starts and stops nothing, attaches to nothing and never uses the
/// network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/frame.hpp"

namespace unravel {

class DebugInfo;

/// Turns code addresses into frames. Opens each module once and caches every answer. Not safe for
/// use by two threads at a time.
class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  /// The frames at `offset` of a module, innermost first, with inlined calls; never empty: unknown
  /// fields are left empty. `offset` is a return address, so the byte before it is looked up,
  /// unless `exact`.
  std::vector<Frame> frames(const std::string& module_path, std::uint64_t offset,
                            bool exact = false);

  /// The debug information of a module, for code that looks for variables.
  DebugInfo& debug_info(const std::string& module_path);

 private:
  struct Module;
  Module& module(const std::string& path);

  std::unordered_map<std::string, std::unique_ptr<Module>> modules_;
};

/// Whether a frame is code of the language's or the system's libraries, or of our runtime: it is
/// never shown as the place in the program.
bool is_system(const Frame& frame);

/// The innermost frame of the program's own code, or nullptr.
const Frame* own_frame(const std::vector<Frame>& frames);

}  // namespace unravel
