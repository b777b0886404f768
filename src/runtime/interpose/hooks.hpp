/// What every hook of instrumented code does first. Mostly it is all that it does.
#pragma once

#include "runtime/core/call_stack.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

/// A countdown ran out, or every hook is inspected. `more` is the memory order of an atomic
/// operation, or the size of a range.
void inspect_hook(HookKind kind, const volatile void* address, const void* site,
                  std::uint64_t more);

[[gnu::always_inline]] inline void pass_hook(HookKind kind, const volatile void* address,
                                             const void* site, std::uint64_t more = 0) {
  if (--countdowns.hooks.left < 0) [[unlikely]]
    inspect_hook(kind, address, site, more);
}

/// The same for a plain load or store, the most frequent events of a trace.
void inspect_access(HookKind kind, const volatile void* address, const void* site);

[[gnu::always_inline]] inline void pass_access(HookKind kind, const volatile void* address,
                                               const void* site) {
  if (--countdowns.hooks.left < 0) [[unlikely]]
    inspect_access(kind, address, site);
}

/// Counts a function entry or a loop back-edge. Returns whether it is inspected.
[[gnu::always_inline]] inline bool count_call() {
  --countdowns.hooks.left;
  --countdowns.calls.left;
  return (countdowns.hooks.left | countdowns.calls.left) < 0;
}

}  // namespace unravel
