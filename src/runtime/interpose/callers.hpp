/// Functions of libc that stand for accesses of their callers: memcpy, malloc and their kin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/interpose/hooks.hpp"
#include "runtime/os/hooked_code.hpp"

namespace unravel {

/// How far such a function reads.
enum class Extent : std::uint8_t {
  kBytes,  // as many bytes as it was told
  kText,   // up to the end of the text, and no more bytes than it was told
  kEqual,  // up to where the two differ, and no more bytes than it was told
};

/// What such a function does for its caller, by the positions of its parameters.
struct Accesses {
  static constexpr int kNone = -1;

  int load = kNone;
  int other_load = kNone;
  int store = kNone;
  int free = kNone;
  int size = kNone;  // if this is 0, none of it
  Extent extent = Extent::kBytes;
  bool appends = false;  // to the text that is there
};

/// Whether hooks of this caller count.
bool counts(const void* site);

inline const void* as_address(const volatile void* pointer) {
  return const_cast<const void*>(pointer);
}
inline const void* as_address(std::size_t number) { return reinterpret_cast<const void*>(number); }
inline const void* as_address(int) { return nullptr; }

/// How many bytes are read and written, where a trace asks for it.
struct Sizes {
  std::size_t load = 0;
  std::size_t store = 0;
};
Sizes sizes_of(const Accesses& accesses, const void* const* values);

/// Makes a hook for each access, but for an allocation.
template <Accesses kAccesses, class... Arguments>
void tell(const void* site, Arguments... arguments) {
  using wire::Operation;
  const void* const values[] = {as_address(arguments)...};
  if (kAccesses.size != Accesses::kNone && !values[kAccesses.size]) return;
  const Sizes sizes = recorder.on() ? sizes_of(kAccesses, values) : Sizes{};
  const auto hook = [&](Operation operation, int position, std::size_t size) {
    if (position != Accesses::kNone && values[position]) {
      pass_hook(HookKind::of_range(operation), values[position], site, size);
    }
  };
  hook(Operation::kLoad, kAccesses.load, sizes.load);
  hook(Operation::kLoad, kAccesses.other_load, sizes.load);
  hook(Operation::kStore, kAccesses.store, sizes.store);
  hook(Operation::kFree, kAccesses.free, 0);
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
