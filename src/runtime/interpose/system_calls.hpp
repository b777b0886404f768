/// System calls that the program makes by number.
#pragma once

#include <type_traits>

#include "runtime/interpose/futex.hpp"

namespace unravel {

/// As the program gave them, whether the call has so many or not.
using SystemCallArguments = long[6];

/// What our function of the same meaning answers, if there is one: calls on descriptors and files,
/// and those that make processes and wait for them.
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
