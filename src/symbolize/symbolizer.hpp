/// Symbolize: what code addresses mean to a person, and which ones a thread's stack holds.
///
/// Knows ELF files, DWARF and the memory of processes that stand still. Does not know runs,
/// schedules or traces, starts and stops nothing, attaches to nothing and never asks the network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/frame.hpp"

namespace unravel {

class DebugInfo;

/// Turns code addresses into frames. Opens each module once and remembers every answer.
/// Not safe for use by two threads at a time.
class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  /// The frames at `offset` of a module, innermost first, inlined calls expanded; never empty: what
  /// is unknown is left blank. `offset` is a return address and looked up one byte earlier, unless
  /// `exact`.
  std::vector<Frame> frames(const std::string& module_path, std::uint64_t offset,
                            bool exact = false);

  /// What is known of a module, for those who look for its variables.
  DebugInfo& debug_info(const std::string& module_path);

 private:
  struct Module;
  Module& module(const std::string& path);

  std::unordered_map<std::string, std::unique_ptr<Module>> modules_;
};

/// True for code of the language's and the system's libraries, and of our own runtime: a frame in
/// it is never "where the program did it".
bool is_system(const Frame& frame);

/// The innermost frame that is the program's own, or nullptr.
const Frame* own_frame(const std::vector<Frame>& frames);

}  // namespace unravel
