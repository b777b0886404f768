/// Atomic operations of instrumented code. Only one thread runs at a time and each operation is
/// sequentially consistent, so the order is never weaker than the program asked for. Other threads
/// may wait for a store, so there is a point after it, too.
#include "runtime/interpose/hooks.hpp"

using namespace unravel;
using wire::Operation;

namespace {

constexpr int kOrder = __ATOMIC_SEQ_CST;

/// Compares and swaps 16 bytes: only this instruction does it without a library. Returns the old
/// value.
__int128 swap16(volatile __int128* address, __int128 expected, __int128 wanted) {
  auto low = static_cast<std::uint64_t>(expected);
  auto high = static_cast<std::uint64_t>(expected >> 64);
  asm volatile("lock cmpxchg16b %2"
               : "+a"(low), "+d"(high), "+m"(*address)
               : "b"(static_cast<std::uint64_t>(wanted)),
                 "c"(static_cast<std::uint64_t>(wanted >> 64))
               : "cc", "memory");
  return static_cast<__int128>(static_cast<unsigned __int128>(high) << 64 | low);
}

template <class Change>
__int128 change16(volatile __int128* address, Change change) {
  __int128 seen = swap16(address, 0, 0);
  for (;;) {
    const __int128 found = swap16(address, seen, change(seen));
    if (found == seen) return seen;
    seen = found;
  }
}

template <class T>
[[gnu::always_inline]] inline void pass_atomic(Operation operation, const volatile T* address,
                                               const void* site, int order) {
  pass_hook(HookKind::of(operation, sizeof(T)), address, site, static_cast<std::uint64_t>(order));
}

/// A compare-exchange that failed only loads.
[[gnu::always_inline]] inline bool exchanged(bool same, int otherwise) {
  if (!same && recorder.on() && current_thread) [[unlikely]]
    recorder.exchange_failed(otherwise);
  return same;
}

}  // namespace

#define ATOMICS(bits, type)                                                                        \
  UNRAVEL_EXPORT type __tsan_atomic##bits##_load(const volatile type* address, int order) {        \
    pass_atomic(Operation::kAtomicLoad, address, UNRAVEL_HOOK_SITE, order);                        \
    return __atomic_load_n(address, kOrder);                                                       \
  }                                                                                                \
  UNRAVEL_EXPORT void __tsan_atomic##bits##_store(volatile type* address, type value, int order) { \
    pass_atomic(Operation::kAtomicStore, address, UNRAVEL_HOOK_SITE, order);                       \
    __atomic_store_n(address, value, kOrder);                                                      \
    pass_hook(HookKind::of(Operation::kAfterStore), address, UNRAVEL_HOOK_SITE);                   \
  }                                                                                                \
  UNRAVEL_EXPORT type __tsan_atomic##bits##_exchange(volatile type* address, type value,           \
                                                     int order) {                                  \
    pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);                      \
    return __atomic_exchange_n(address, value, kOrder);                                            \
  }                                                                                                \
  UPDATE(bits, type, add)                                                                          \
  UPDATE(bits, type, sub)                                                                          \
  UPDATE(bits, type, and)                                                                          \
  UPDATE(bits, type, or)                                                                           \
  UPDATE(bits, type, xor)                                                                          \
  UPDATE(bits, type, nand)                                                                         \
  UNRAVEL_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                                \
      volatile type* address, type* expected, type value, int order, int otherwise) {              \
    pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);                      \
    return exchanged(__atomic_compare_exchange_n(address, expected, value, false, kOrder, kOrder), \
                     otherwise);                                                                   \
  }                                                                                                \
  UNRAVEL_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                                  \
      volatile type* address, type* expected, type value, int order, int otherwise) {              \
    pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);                      \
    return exchanged(__atomic_compare_exchange_n(address, expected, value, false, kOrder, kOrder), \
                     otherwise);                                                                   \
  }                                                                                                \
  UNRAVEL_EXPORT type __tsan_atomic##bits##_compare_exchange_val(                                  \
      volatile type* address, type expected, type value, int order, int otherwise) {               \
    pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);                      \
    exchanged(__atomic_compare_exchange_n(address, &expected, value, false, kOrder, kOrder),       \
              otherwise);                                                                          \
    return expected;                                                                               \
  }
#define UPDATE(bits, type, name)                                                             \
  UNRAVEL_EXPORT type __tsan_atomic##bits##_fetch_##name(volatile type* address, type value, \
                                                         int order) {                        \
    pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);                \
    return __atomic_fetch_##name(address, value, kOrder);                                    \
  }

ATOMICS(8, std::uint8_t);
ATOMICS(16, std::uint16_t);
ATOMICS(32, std::uint32_t);
ATOMICS(64, std::uint64_t);

#define UPDATE16(name, expression)                                                            \
  UNRAVEL_EXPORT __int128 __tsan_atomic128_##name(volatile __int128* address, __int128 value, \
                                                  int order) {                                \
    pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);                 \
    return change16(address, [value]([[maybe_unused]] __int128 old) { return expression; });  \
  }
UPDATE16(exchange, value);
UPDATE16(fetch_add, old + value);
UPDATE16(fetch_sub, old - value);
UPDATE16(fetch_and, old& value);
UPDATE16(fetch_or, old | value);
UPDATE16(fetch_xor, old ^ value);
UPDATE16(fetch_nand, ~(old& value));

UNRAVEL_EXPORT __int128 __tsan_atomic128_load(const volatile __int128* address, int order) {
  pass_atomic(Operation::kAtomicLoad, address, UNRAVEL_HOOK_SITE, order);
  return swap16(const_cast<volatile __int128*>(address), 0, 0);
}

UNRAVEL_EXPORT void __tsan_atomic128_store(volatile __int128* address, __int128 value, int order) {
  pass_atomic(Operation::kAtomicStore, address, UNRAVEL_HOOK_SITE, order);
  change16(address, [value](__int128) { return value; });
  pass_hook(HookKind::of(Operation::kAfterStore), address, UNRAVEL_HOOK_SITE);
}

UNRAVEL_EXPORT __int128 __tsan_atomic128_compare_exchange_val(volatile __int128* address,
                                                              __int128 expected, __int128 value,
                                                              int order, int otherwise) {
  pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);
  const __int128 found = swap16(address, expected, value);
  exchanged(found == expected, otherwise);
  return found;
}

UNRAVEL_EXPORT int __tsan_atomic128_compare_exchange_strong(volatile __int128* address,
                                                            __int128* expected, __int128 value,
                                                            int order, int otherwise) {
  pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);
  const __int128 found = swap16(address, *expected, value);
  const bool same = found == *expected;
  *expected = found;
  return exchanged(same, otherwise);
}

UNRAVEL_EXPORT int __tsan_atomic128_compare_exchange_weak(volatile __int128* address,
                                                          __int128* expected, __int128 value,
                                                          int order, int otherwise) {
  pass_atomic(Operation::kAtomicUpdate, address, UNRAVEL_HOOK_SITE, order);
  const __int128 found = swap16(address, *expected, value);
  const bool same = found == *expected;
  *expected = found;
  return exchanged(same, otherwise);
}

UNRAVEL_EXPORT void __tsan_atomic_thread_fence(int order) {
  pass_hook(HookKind::of(Operation::kFence), nullptr, UNRAVEL_HOOK_SITE,
            static_cast<std::uint64_t>(order));
  __atomic_thread_fence(kOrder);
}

/// A signal fence orders a thread only with its own signal handlers.
UNRAVEL_EXPORT void __tsan_atomic_signal_fence(int) {
  pass_hook(HookKind::of(Operation::kFence), nullptr, UNRAVEL_HOOK_SITE, __ATOMIC_RELAXED);
}
