#include "sim/fiber.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNRAVEL_SIM_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define UNRAVEL_SIM_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define UNRAVEL_SIM_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define UNRAVEL_SIM_TSAN 1
#endif

#if defined(UNRAVEL_SIM_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(UNRAVEL_SIM_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace unravel::sim {

namespace {

constexpr std::size_t kPage = 4096;
#if defined(UNRAVEL_SIM_ASAN) || defined(UNRAVEL_SIM_TSAN)
constexpr std::size_t kStackSize = 64 * kPage;  // instrumented frames are several times as large
#else
constexpr std::size_t kStackSize = 16 * kPage;  // a deadlock's search takes some 4 KiB of it
#endif

// A fiber's first function has no argument of pointer size: it finds its pool here.
thread_local Fibers* entering_pool = nullptr;

void before_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] const Fiber& to) {
#if defined(UNRAVEL_SIM_ASAN)
  __sanitizer_start_switch_fiber(fake_stack, to.stack, to.size);
#endif
#if defined(UNRAVEL_SIM_TSAN)
  __tsan_switch_to_fiber(to.sanitizer, 0);
#endif
}

/// To the thread sanitizer it is no longer there.
void forget([[maybe_unused]] Fiber& fiber) {
#if defined(UNRAVEL_SIM_TSAN)
  if (fiber.sanitizer) __tsan_destroy_fiber(fiber.sanitizer);
  fiber.sanitizer = nullptr;
  fiber.uses = 0;
#endif
}

}  // namespace

Fibers::Fibers() {
#if defined(UNRAVEL_SIM_TSAN)
  home_.sanitizer = __tsan_get_current_fiber();
#endif
}

Fibers::~Fibers() {
  abandon_all();
  for (const auto& fiber : all_) {
    forget(*fiber);
    munmap(fiber->stack - kPage, kStackSize + kPage);
  }
}

Fiber& Fibers::make(Body body, void* argument) {
  reclaim();
  if (free_.empty()) {
    auto fiber = std::make_unique<Fiber>();
    void* memory = mmap(nullptr, kStackSize + kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, kPage, PROT_NONE) != 0) std::abort();
    fiber->stack = static_cast<std::byte*>(memory) + kPage;
    fiber->size = kStackSize;
    free_.push_back(fiber.get());
    all_.push_back(std::move(fiber));
  }
  Fiber& fiber = *free_.back();
  free_.pop_back();
#if defined(UNRAVEL_SIM_ASAN)
  ASAN_UNPOISON_MEMORY_REGION(fiber.stack, fiber.size);  // frames that were left behind
#endif
#if defined(UNRAVEL_SIM_TSAN)
  // Making one takes milliseconds. But each use that is left in the middle of a function leaves
  // its calls on the sanitizer's own stack, which has room for 65,536.
  constexpr unsigned kMostUses = 1'000;
  if (fiber.sanitizer && ++fiber.uses > kMostUses) forget(fiber);
  if (!fiber.sanitizer) fiber.sanitizer = __tsan_create_fiber(0);
#endif
  fiber.body = body;
  fiber.argument = argument;
  fiber.fake_stack = nullptr;
  fiber.in_use = true;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack;
  fiber.context.uc_stack.ss_size = fiber.size;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, &Fibers::enter, 0);
  return fiber;
}

void Fibers::enter() {
  Fibers& pool = *entering_pool;
  const Fiber& self = *pool.running_;
  pool.arrive(nullptr);
  self.body(self.argument);
  std::abort();
}

void Fibers::arrive([[maybe_unused]] void* fake_stack) {
#if defined(UNRAVEL_SIM_ASAN)
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
  if (home_.stack == nullptr) {  // the first switch of all comes from home
    home_.stack = static_cast<std::byte*>(const_cast<void*>(bottom));
    home_.size = size;
  }
#endif
}

void Fibers::switch_to(Fiber& from, Fiber& to) {
  entering_pool = this;
  running_ = &to;
  before_switch(&from.fake_stack, to);
  swapcontext(&from.context, &to.context);
  arrive(from.fake_stack);
}

void Fibers::leave_to(Fiber& from, Fiber& to) {
  entering_pool = this;
  running_ = &to;
  leaving_.push_back(&from);
  before_switch(nullptr, to);
  setcontext(&to.context);
  std::abort();
}

void Fibers::retire(Fiber& fiber) {
  if (!fiber.in_use) return;
  fiber.in_use = false;
  free_.push_back(&fiber);
}

void Fibers::reclaim() {
  for (Fiber* fiber : std::exchange(leaving_, {})) retire(*fiber);
}

void Fibers::abandon_all() {
  leaving_.clear();
  for (const auto& fiber : all_) retire(*fiber);
}

}  // namespace unravel::sim
