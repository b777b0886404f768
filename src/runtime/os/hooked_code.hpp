/// Whose calls of memcpy, malloc and their kin count as accesses: modules with hooks, and the C++
/// library that works for them.
///
/// Calls from any other place do not. A thread inside libc or a plain library may hold a lock that
/// we cannot see, and must not be stopped there.
#pragma once

#include "runtime/os/code_ranges.hpp"

namespace unravel::os {

class HookedCode {
 public:
  /// Something with hooks has been loaded. What that is, its return address does not say: an
  /// optimised constructor jumps to us, and the call seems to come from the loader.
  void scan_loaded();
  /// Forgets modules that are no longer loaded, before something else is in their place.
  void forget_unloaded();

  [[nodiscard]] bool any() const { return !ranges_.empty(); }
  [[nodiscard]] bool covers(const void* address) const {
    return ranges_.covers(reinterpret_cast<std::uint64_t>(address));
  }
  /// Whether any of it lies between these addresses.
  [[nodiscard]] bool covers_any(std::uint64_t begin, std::uint64_t end) const {
    return ranges_.meets({begin, end});
  }

 private:
  CodeRanges ranges_;
  // What was loaded at the last scan: every file of a module has a constructor that calls.
  const void* last_ = nullptr;
  std::size_t count_ = 0;
};

/// Modules say that they have hooks as soon as they are loaded, perhaps before us.
inline constinit HookedCode hooked_code;

}  // namespace unravel::os
