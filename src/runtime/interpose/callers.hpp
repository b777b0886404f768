/// Functions of libc that stand for accesses of their callers: memcpy, malloc and their kin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/interpose/hooks.hpp"
#include "runtime/os/hooked_code.hpp"

namespace unravel {

/// What such a function does for its caller, by the positions of its parameters.
struct Accesses {
  static constexpr int kNone = -1;

  int load = kNone;
  int other_load = kNone;
  int store = kNone;
  int free = kNone;
  bool allocates = false;
  int size = kNone;  // if this is 0, none of it
};

/// Whether hooks of this caller count.
bool counts(const void* site);

inline const void* as_address(const volatile void* pointer) {
  return const_cast<const void*>(pointer);
}
inline const void* as_address(std::size_t number) { return reinterpret_cast<const void*>(number); }
inline const void* as_address(int) { return nullptr; }

/// Makes a hook for each access.
template <Accesses kAccesses, class... Arguments>
void tell(const void* site, Arguments... arguments) {
  using wire::Operation;
  const void* const values[] = {as_address(arguments)...};
  const auto hook = [&](Operation operation, int position) {
    if (position != Accesses::kNone && values[position]) {
      pass_hook(operation, values[position], site);
    }
  };
  if (kAccesses.size != Accesses::kNone && !values[kAccesses.size]) return;
  hook(Operation::kLoad, kAccesses.load);
  hook(Operation::kLoad, kAccesses.other_load);
  hook(Operation::kStore, kAccesses.store);
  hook(Operation::kFree, kAccesses.free);
  if (kAccesses.allocates) pass_hook(Operation::kAllocate, nullptr, site);
}

/// Apart from who calls it, so that a program without hooks passes by with a branch.
template <Accesses kAccesses, class Real, class First, class... Arguments>
[[gnu::noinline]] auto tell_and_call(const void* site, const Real& real, First first,
                                     Arguments... arguments) {
  if (counts(site)) tell<kAccesses>(site, arguments...);
  return real ? real(arguments...) : first(arguments...);
}

/// Tells of the accesses, and has `real` make them in one piece; `first` while that is not known.
template <Accesses kAccesses, class Real, class First, class... Arguments>
[[gnu::always_inline]] inline auto tell_first(const void* site, const Real& real, First first,
                                              Arguments... arguments) {
  if (!real || os::hooked_code.any()) [[unlikely]]
    return tell_and_call<kAccesses>(site, real, first, arguments...);
  return real(arguments...);
}

}  // namespace unravel

/// For what is looked up by whoever needs it first.
#define UNRAVEL_LOOKED_UP(name) \
  real::name.function, [](auto... arguments) { return real::name(arguments...); }
