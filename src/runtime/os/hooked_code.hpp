/// The code whose calls of memcpy, malloc and the like count as accesses: modules with hooks, and
/// the C++ library that they use.
///
/// Calls from other code do not count. A thread inside libc or a plain library may hold a lock that
/// we cannot see, so it must not be stopped there.
#pragma once

#include "runtime/os/code_ranges.hpp"

namespace unravel::os {

class HookedCode {
 public:
  /// A module with hooks was loaded. Its return address does not say which one: an optimised
  /// constructor jumps to us, so the call seems to come from the loader.
  void scan_loaded();
  /// Forgets modules that are no longer loaded, before other code is mapped in their place.
  void forget_unloaded();

  [[nodiscard]] bool any() const { return !ranges_.empty(); }
  [[nodiscard]] bool covers(const void* address) const {
    return ranges_.covers(reinterpret_cast<std::uint64_t>(address));
  }
  /// Whether any hooked code lies between these addresses.
  [[nodiscard]] bool covers_any(std::uint64_t begin, std::uint64_t end) const {
    return ranges_.meets({begin, end});
  }

 private:
  CodeRanges ranges_;
  // What was loaded at the last scan. Every object file of a module has a constructor that calls
  // scan_loaded().
  const void* last_ = nullptr;
  std::size_t count_ = 0;
};

/// A global of its own: modules report their hooks as soon as they are loaded, perhaps before us.
inline constinit HookedCode hooked_code;

}  // namespace unravel::os
