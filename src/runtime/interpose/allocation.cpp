/// malloc, free and their kin: what comes before each is told, if the caller's accesses are. Inside
/// them nobody is switched, since they hold locks of their own.
///
/// The real ones are the next in the loader's order, so that a program with an allocator of its own
/// keeps it.
#include "runtime/interpose/allocation.hpp"

#include <cstddef>

#include "runtime/interpose/callers.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/os/early_memory.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/string_functions.hpp"

namespace unravel {

namespace {

// --- Until the real ones are known ---

constinit os::EarlyMemory early;
constinit bool looking_up = false;

// What is called first of all, to look them up. They are not known afterwards where that asked for
// memory itself.

void* first_malloc(std::size_t size) {
  resolve_allocation();
  return real::malloc.function ? real::malloc(size) : early.allocate(size);
}
/// What the loader asks for does not overflow, and early memory is zero.
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

constexpr Accesses kAllocate{.allocates = true};
constexpr Accesses kFree{.free = 0};
constexpr Accesses kReallocate{.free = 0, .allocates = true};

}  // namespace

void resolve_allocation() {
  if (looking_up) return;
  const ErrnoKeeper keeper;
  looking_up = true;
  real::malloc.get();
  real::calloc.get();
  real::realloc.get();
  real::free.get();
  looking_up = false;
}

// Under names of their own: compilers draw conclusions from the real ones.
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

#define FIRST(name) real::name.function, first_##name

void* allocation_malloc(std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, FIRST(malloc), size);
}
void* allocation_calloc(std::size_t count, std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, FIRST(calloc), count, size);
}
void* allocation_realloc(void* memory, std::size_t size) noexcept {
  if (early.has(memory)) return move_early(memory, size);
  return tell_first<kReallocate>(UNRAVEL_SITE, FIRST(realloc), memory, size);
}
void* allocation_reallocarray(void* memory, std::size_t count, std::size_t size) noexcept {
  void* const answer =
      tell_first<kReallocate>(UNRAVEL_SITE, UNRAVEL_LOOKED_UP(reallocarray), memory, count, size);
  // Not the last call here: libc's ends in realloc, which would seem to be called by the program.
  __asm__ volatile("");
  return answer;
}
void allocation_free(void* memory) noexcept {
  if (early.has(memory)) return;
  tell_first<kFree>(UNRAVEL_SITE, FIRST(free), memory);
}
int allocation_posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, UNRAVEL_LOOKED_UP(posix_memalign), memory, alignment,
                               size);
}
void* allocation_aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, UNRAVEL_LOOKED_UP(aligned_alloc), alignment, size);
}
void* allocation_memalign(std::size_t alignment, std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, UNRAVEL_LOOKED_UP(memalign), alignment, size);
}
void* allocation_valloc(std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, UNRAVEL_LOOKED_UP(valloc), size);
}
void* allocation_pvalloc(std::size_t size) noexcept {
  return tell_first<kAllocate>(UNRAVEL_SITE, UNRAVEL_LOOKED_UP(pvalloc), size);
}

}  // namespace unravel
