/// What every hook of instrumented code does first, and almost always last.
#pragma once

#include "runtime/core/call_stack.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

/// A countdown has run out.
void look_at_hook(wire::Operation operation, const volatile void* address, const void* site);

[[gnu::always_inline]] inline void pass_hook(wire::Operation operation,
                                             const volatile void* address, const void* site) {
  if (--countdowns.hooks.left < 0) [[unlikely]]
    look_at_hook(operation, address, site);
}

/// A function entry or a loop's back-edge.
[[gnu::always_inline]] inline void pass_call(wire::Operation operation, const void* site) {
  --countdowns.hooks.left;
  --countdowns.calls.left;
  if ((countdowns.hooks.left | countdowns.calls.left) < 0) [[unlikely]]
    look_at_hook(operation, nullptr, site);
}

}  // namespace unravel
