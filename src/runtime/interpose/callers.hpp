/// Functions of libc that count as accesses of their callers: memcpy, malloc and the like.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/interpose/hooks.hpp"
#include "runtime/os/hooked_code.hpp"
#include "wire/independence.hpp"

namespace unravel {

/// How far such a function reads.
enum class Extent : std::uint8_t {
  kBytes,  // the given number of bytes
  kText,   // up to the end of the text, at most the given number of bytes
  kEqual,  // up to the first difference, at most the given number of bytes
};

/// The accesses that such a function makes for its caller, by the positions of its parameters.
struct Accesses {
  static constexpr int kNone = -1;

  int load = kNone;
  int other_load = kNone;
  int store = kNone;
  int free = kNone;
  int size = kNone;  // if this argument is 0, it makes no access
  Extent extent = Extent::kBytes;
  bool appends = false;  // it appends to the existing text
};

/// Whether accesses of this caller count as hooks.
bool counts(const void* site);

inline const void* as_address(const volatile void* pointer) {
  return const_cast<const void*>(pointer);
}
inline const void* as_address(std::size_t number) { return reinterpret_cast<const void*>(number); }
inline const void* as_address(int) { return nullptr; }

/// How many bytes are read and written; 0: not known.
struct Sizes {
  std::size_t load = 0;
  std::size_t store = 0;
};
/// Looks at texts for a trace only.
Sizes sizes_of(const Accesses& accesses, const void* const* values);
template <Accesses kAccesses>
Sizes given_sizes(const void* const* values) {
  constexpr bool kHasSize = kAccesses.size != Accesses::kNone;
  if constexpr (!kHasSize || kAccesses.extent != Extent::kBytes || kAccesses.appends) return {};
  const auto size = reinterpret_cast<std::size_t>(values[kAccesses.size]);
  return {.load = size, .store = size};
}

/// Makes a hook for each access, except an allocation.
template <Accesses kAccesses, class... Arguments>
void tell(const void* site, Arguments... arguments) {
  using wire::Operation;
  const void* const values[] = {as_address(arguments)...};
  if (kAccesses.size != Accesses::kNone && !values[kAccesses.size]) return;
  const Sizes sizes = recorder.on() ? sizes_of(kAccesses, values) : given_sizes<kAccesses>(values);
  bool is_first = true;
  const auto hook = [&](Operation operation, int position, std::size_t size) {
    if (position == Accesses::kNone || !values[position]) return;
    // All accesses are made after the last hook, at which only one of them can be reported.
    if (!is_first && !recorder.on()) size = wire::PendingOperation::kAnyMemory;
    is_first = false;
    pass_hook(HookKind::of_range(operation), values[position], site, size);
  };
  hook(Operation::kLoad, kAccesses.load, sizes.load);
  hook(Operation::kLoad, kAccesses.other_load, sizes.load);
  hook(Operation::kStore, kAccesses.store, sizes.store);
  hook(Operation::kFree, kAccesses.free, 0);
}

/// A function of its own, so that a program without hooks only takes a branch.
template <Accesses kAccesses, class Real, class First, class... Arguments>
[[gnu::noinline]] auto tell_and_call(const void* site, const Real& real, First first,
                                     Arguments... arguments) {
  if (counts(site)) tell<kAccesses>(site, arguments...);
  return real ? real(arguments...) : first(arguments...);
}

/// Makes the hooks, then calls `real`, or `first` while `real` is not known. No switch happens
/// inside that call.
template <Accesses kAccesses, class Real, class First, class... Arguments>
[[gnu::always_inline]] inline auto tell_first(const void* site, const Real& real, First first,
                                              Arguments... arguments) {
  if (!real || os::hooked_code.any()) [[unlikely]]
    return tell_and_call<kAccesses>(site, real, first, arguments...);
  return real(arguments...);
}

}  // namespace unravel

/// For functions that are looked up on first use.
#define UNRAVEL_LOOKED_UP(name) \
  real::name.function, [](auto... arguments) { return real::name(arguments...); }
