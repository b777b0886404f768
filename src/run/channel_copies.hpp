/// Copies of what is in the channel, which the program may change at any moment.
#pragma once

#include <cstring>

namespace unravel {

/// Reads a non-atomic word of shared memory exactly once.
template <class T>
T read_once(const T& word) {
  return *static_cast<const volatile T*>(&word);
}

/// A copy of shared memory, byte for byte.
template <class T>
T copy_of(const T& shared) {
  T copy;
  std::memcpy(static_cast<void*>(&copy), &shared, sizeof copy);
  return copy;
}

}  // namespace unravel
