/// Functions of the C++ library that we interpose. A C program may have no C++ library, or have it
/// only through a plugin, where the usual look-up does not find it.
#pragma once

#include "runtime/os/real.hpp"

namespace unravel::os {

template <class Function>
struct FromCxxLibrary {
  const char* name;
  Function function = nullptr;

  /// Null: the function does not exist, or it lies inside a plugin.
  Function get() {
    if (function) return function;
    function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    for (const char* library : {"libstdc++.so.6", "libc++abi.so.1"}) {
      if (function) break;
      void* const loaded = real::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
      if (loaded) function = reinterpret_cast<Function>(dlsym(loaded, name));
    }
    return function;
  }
};

}  // namespace unravel::os
