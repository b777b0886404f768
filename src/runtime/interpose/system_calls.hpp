/// System calls that the program makes by number.
#pragma once

#include <type_traits>

#include "runtime/interpose/futex.hpp"

namespace unravel {

/// As the program gave them; the call may have fewer.
using SystemCallArguments = long[6];

/// The answer of our function with the same meaning, if there is one: calls on descriptors and
/// files, and calls that make processes or wait for them.
Answer by_function(long number, const SystemCallArguments& arguments);
/// Calls about signals and timers, which take the kernel's own structures.
Answer about_signals(long number, const SystemCallArguments& arguments);

template <class T>
T argument_as(long argument) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(argument);
  } else {
    return static_cast<T>(argument);
  }
}

}  // namespace unravel
