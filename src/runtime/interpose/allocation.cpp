/// malloc, free and the like. If the caller's accesses count, a hook comes before the call. No
/// switch happens inside, since these functions hold locks of their own.
///
/// The real functions are the next in the loader's order, so a program keeps its own allocator.
#include "runtime/interpose/allocation.hpp"

#include <cstddef>

#include "runtime/interpose/callers.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/os/cxx_library.hpp"
#include "runtime/os/early_memory.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/string_functions.hpp"

namespace unravel {

namespace {

// --- Until the real ones are known ---

constinit os::EarlyMemory early;
constinit bool resolving = false;

// These are called first, to look up the real functions. The look-up may ask for memory itself;
// then the real functions are not known yet.

void* first_malloc(std::size_t size) {
  resolve_allocation();
  return real::malloc.function ? real::malloc(size) : early.allocate(size);
}
/// The loader's sizes do not overflow, and early memory is zeroed.
void* first_calloc(std::size_t count, std::size_t size) {
  resolve_allocation();
  return real::calloc.function ? real::calloc(count, size) : early.allocate(count * size);
}
void* first_realloc(void* memory, std::size_t size) {
  resolve_allocation();
  return real::realloc.function ? real::realloc(memory, size) : early.allocate(size);
}
void first_free(void* memory) {
  resolve_allocation();
  if (real::free.function) real::free(memory);
}
void* move_early(void* memory, std::size_t size) {
  void* moved = first_malloc(size);
  const std::size_t room = early.room_from(memory);
  return moved ? plain::memcpy(moved, memory, size < room ? size : room) : nullptr;
}

// --- Hooks and notes ---

/// The caller of `new`: the malloc inside it does not know that.
__thread const void* new_site = nullptr;

void note_allocated(bool counted, const void* memory, std::size_t size, const void* site) {
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  if (recorder.on()) {
    if (counted) {
      recorder.hook(HookKind::of_range(wire::Operation::kAllocate), memory, site, size);
    } else if (memory) {
      recorder.annotate(wire::Operation::kFresh, address, 0, size, site);
    }
  } else if (memory && runtime().is_starting()) {
    runtime().allocations().add({.address = address, .size = size, .site = site});
  }
}

void note_free(void* memory, const void* site) {
  if (!memory) return;
  if (counts(site)) {
    pass_hook(HookKind::of(wire::Operation::kFree), memory, site);
  } else if (current_thread && recorder.on()) {
    recorder.annotate(wire::Operation::kFresh, reinterpret_cast<std::uint64_t>(memory), 0,
                      malloc_usable_size(memory), site);
  }
  if (current_thread && runtime().is_starting()) {
    runtime().allocations().remove(reinterpret_cast<std::uint64_t>(memory));
  }
}

/// `old`: the block that a realloc frees, or null.
template <class Call>
[[gnu::noinline]] void* tell_and_allocate(const void* site, void* old, std::size_t size,
                                          Call call) {
  const void* from = new_site ? new_site : site;
  new_site = nullptr;
  if (old) note_free(old, site);
  const bool counted = counts(site);
  if (counted) pass_hook(HookKind::of_range(wire::Operation::kAllocate), nullptr, from);
  void* const memory = call();
  if (current_thread) note_allocated(counted, memory, size, from);
  return memory;
}

/// `call` allocates `size` bytes for `site`.
template <class Call>
[[gnu::always_inline]] inline void* allocate(const void* site, void* old, std::size_t size,
                                             Call call) {
  if (os::hooked_code.any()) [[unlikely]]
    return tell_and_allocate(site, old, size, call);
  return call();
}

}  // namespace

void resolve_allocation() {
  if (resolving) return;
  const ErrnoKeeper keeper;
  resolving = true;
  real::malloc.get();
  real::calloc.get();
  real::realloc.get();
  real::free.get();
  resolving = false;
}

// Other names in C++: compilers assume things about the real ones.
#define ALLOCATION(result, name, ...) \
  UNRAVEL_EXPORT result allocation_##name(__VA_ARGS__) noexcept __asm__(#name)
ALLOCATION(void*, malloc, std::size_t size);
ALLOCATION(void*, calloc, std::size_t count, std::size_t size);
ALLOCATION(void*, realloc, void* memory, std::size_t size);
ALLOCATION(void*, reallocarray, void* memory, std::size_t count, std::size_t size);
ALLOCATION(void, free, void* memory);
ALLOCATION(int, posix_memalign, void** memory, std::size_t alignment, std::size_t size);
ALLOCATION(void*, aligned_alloc, std::size_t alignment, std::size_t size);
ALLOCATION(void*, memalign, std::size_t alignment, std::size_t size);
ALLOCATION(void*, valloc, std::size_t size);
ALLOCATION(void*, pvalloc, std::size_t size);
ALLOCATION(char*, strdup, const char* text);
ALLOCATION(char*, strndup, const char* text, std::size_t most);

/// The real function, or its substitute until that is known.
#define REAL_OR_FIRST(name, ...) \
  real::name.function ? real::name(__VA_ARGS__) : first_##name(__VA_ARGS__)

void* allocation_malloc(std::size_t size) noexcept {
  return allocate(UNRAVEL_HOOK_SITE, nullptr, size, [=] { return REAL_OR_FIRST(malloc, size); });
}
void* allocation_calloc(std::size_t count, std::size_t size) noexcept {
  return allocate(UNRAVEL_HOOK_SITE, nullptr, count * size,
                  [=] { return REAL_OR_FIRST(calloc, count, size); });
}
void* allocation_realloc(void* memory, std::size_t size) noexcept {
  if (early.has(memory)) return move_early(memory, size);
  return allocate(UNRAVEL_HOOK_SITE, memory, size,
                  [=] { return REAL_OR_FIRST(realloc, memory, size); });
}
void* allocation_reallocarray(void* memory, std::size_t count, std::size_t size) noexcept {
  void* const answer = allocate(UNRAVEL_HOOK_SITE, memory, count * size,
                                [=] { return real::reallocarray(memory, count, size); });
  // Keeps this from being a tail call: libc's function ends in realloc, which would seem to be
  // called by the program.
  __asm__ volatile("");
  return answer;
}
void allocation_free(void* memory) noexcept {
  if (early.has(memory)) return;
  if (os::hooked_code.any()) [[unlikely]]
    note_free(memory, UNRAVEL_HOOK_SITE);
  REAL_OR_FIRST(free, memory);
}
int allocation_posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  int error = 0;
  allocate(UNRAVEL_HOOK_SITE, nullptr, size, [&] {
    error = real::posix_memalign(memory, alignment, size);
    return error ? nullptr : *memory;
  });
  return error;
}
void* allocation_aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return allocate(UNRAVEL_HOOK_SITE, nullptr, size,
                  [=] { return real::aligned_alloc(alignment, size); });
}
void* allocation_memalign(std::size_t alignment, std::size_t size) noexcept {
  return allocate(UNRAVEL_HOOK_SITE, nullptr, size,
                  [=] { return real::memalign(alignment, size); });
}
void* allocation_valloc(std::size_t size) noexcept {
  return allocate(UNRAVEL_HOOK_SITE, nullptr, size, [=] { return real::valloc(size); });
}
void* allocation_pvalloc(std::size_t size) noexcept {
  return allocate(UNRAVEL_HOOK_SITE, nullptr, size, [=] { return real::pvalloc(size); });
}

// --- Copies of text: libc's own call of malloc does not count ---

namespace {

/// How many bytes a copy of at most `most` characters takes. Only computed for a trace.
std::size_t tell_text(const void* site, const char* text, std::size_t most) {
  if (counts(site)) {
    tell<Accesses{.load = 0, .size = 1, .extent = Extent::kText}>(site, text, most);
  }
  return recorder.on() ? plain::strnlen(text, most) + 1 : 0;
}

}  // namespace

char* allocation_strdup(const char* text) noexcept {
  constexpr std::size_t kAll = PTRDIFF_MAX;
  const std::size_t size = os::hooked_code.any() ? tell_text(UNRAVEL_HOOK_SITE, text, kAll) : 0;
  return static_cast<char*>(
      allocate(UNRAVEL_HOOK_SITE, nullptr, size, [=] { return real::strdup(text); }));
}
char* allocation_strndup(const char* text, std::size_t most) noexcept {
  const std::size_t size = os::hooked_code.any() ? tell_text(UNRAVEL_HOOK_SITE, text, most) : 0;
  return static_cast<char*>(
      allocate(UNRAVEL_HOOK_SITE, nullptr, size, [=] { return real::strndup(text, most); }));
}

// --- new: the allocation belongs to its caller ---

namespace {

/// Calls the C++ library's own operator, which may throw. A plugin with its own C++ library calls
/// ours, too; then there is no library that could throw.
template <class Function, class... More>
void* call_new(os::FromCxxLibrary<Function>& real, const void* site, std::size_t size,
               More... more) {
  new_site = site;
  if (const Function function = real.get()) return function(size, more...);
  void* const memory =
      allocate(site, nullptr, size, [=] { return REAL_OR_FIRST(malloc, size ? size : 1); });
  if (!memory) __builtin_trap();
  return memory;
}

using New = void* (*)(std::size_t);
using NewNoThrow = void* (*)(std::size_t, const void*);
using NewAligned = void* (*)(std::size_t, std::size_t);

constinit os::FromCxxLibrary<New> real_new{"_Znwm"};
constinit os::FromCxxLibrary<New> real_new_array{"_Znam"};
constinit os::FromCxxLibrary<NewNoThrow> real_new_nothrow{"_ZnwmRKSt9nothrow_t"};
constinit os::FromCxxLibrary<NewNoThrow> real_new_array_nothrow{"_ZnamRKSt9nothrow_t"};
constinit os::FromCxxLibrary<NewAligned> real_new_aligned{"_ZnwmSt11align_val_t"};
constinit os::FromCxxLibrary<NewAligned> real_new_array_aligned{"_ZnamSt11align_val_t"};

}  // namespace

#define OPERATOR(name, mangled, ...) \
  UNRAVEL_EXPORT void* operator_##name(__VA_ARGS__) __asm__(mangled)
OPERATOR(new, "_Znwm", std::size_t size);
OPERATOR(new_array, "_Znam", std::size_t size);
OPERATOR(new_nothrow, "_ZnwmRKSt9nothrow_t", std::size_t size, const void* nothrow);
OPERATOR(new_array_nothrow, "_ZnamRKSt9nothrow_t", std::size_t size, const void* nothrow);
OPERATOR(new_aligned, "_ZnwmSt11align_val_t", std::size_t size, std::size_t alignment);
OPERATOR(new_array_aligned, "_ZnamSt11align_val_t", std::size_t size, std::size_t alignment);

void* operator_new(std::size_t size) { return call_new(real_new, UNRAVEL_HOOK_SITE, size); }
void* operator_new_array(std::size_t size) {
  return call_new(real_new_array, UNRAVEL_HOOK_SITE, size);
}
void* operator_new_nothrow(std::size_t size, const void* nothrow) {
  return call_new(real_new_nothrow, UNRAVEL_HOOK_SITE, size, nothrow);
}
void* operator_new_array_nothrow(std::size_t size, const void* nothrow) {
  return call_new(real_new_array_nothrow, UNRAVEL_HOOK_SITE, size, nothrow);
}
void* operator_new_aligned(std::size_t size, std::size_t alignment) {
  return call_new(real_new_aligned, UNRAVEL_HOOK_SITE, size, alignment);
}
void* operator_new_array_aligned(std::size_t size, std::size_t alignment) {
  return call_new(real_new_array_aligned, UNRAVEL_HOOK_SITE, size, alignment);
}

}  // namespace unravel
