/// What every hook of instrumented code does first, and almost always last.
#pragma once

#include "runtime/process/runtime.hpp"

namespace unravel {

/// The countdown has run out.
void look_at_hook(wire::Operation operation, const volatile void* address, const void* site);

[[gnu::always_inline]] inline void pass_hook(wire::Operation operation,
                                             const volatile void* address, const void* site) {
  if (--countdown.left < 0) [[unlikely]]
    look_at_hook(operation, address, site);
}

}  // namespace unravel
