/// Guards of static local variables. The C++ library's own functions do the work and wait by
/// futexes, which are controlled. But the library has no hooks, so a trace would not show that a
/// thread that finds a variable initialised comes after its initialisation.
#include "runtime/interpose/order.hpp"
#include "runtime/interpose/time.hpp"
#include "runtime/os/cxx_library.hpp"

namespace unravel {

namespace {

// The function pointer is not noexcept: acquiring may throw.
constinit os::FromCxxLibrary<int (*)(void*)> real_acquire{"__cxa_guard_acquire"};
constinit os::FromCxxLibrary<void (*)(void*)> real_release{"__cxa_guard_release"};
constinit os::FromCxxLibrary<void (*)(void*)> real_abort{"__cxa_guard_abort"};

// For a plugin with its own C++ library, which calls ours, too. The first byte of a guard belongs
// to the compiler: the variable is initialised. The second is ours: a thread is about to do it.
int acquire(char* guard) {
  while (!guard[0] && guard[1]) {
    current_thread ? yield(*current_thread, UNRAVEL_SITE) : void(real::sched_yield());
  }
  if (guard[0]) return 0;
  return guard[1] = 1;
}
void release(char* guard, bool initialised) {
  guard[0] = initialised;
  guard[1] = 0;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

/// Returns 1 if the caller has to initialise it, perhaps after other threads have tried and failed.
UNRAVEL_EXPORT int __cxa_guard_acquire(void* guard) {
  const auto real = real_acquire.get();
  const int initialises = real ? real(guard) : acquire(static_cast<char*>(guard));
  observe(guard, UNRAVEL_SITE);
  return initialises;
}

UNRAVEL_EXPORT void __cxa_guard_release(void* guard) {
  publish(guard, UNRAVEL_SITE);
  if (const auto real = real_release.get()) {
    real(guard);
  } else {
    release(static_cast<char*>(guard), /*initialised=*/true);
  }
}

/// The initialisation threw an exception.
UNRAVEL_EXPORT void __cxa_guard_abort(void* guard) {
  publish(guard, UNRAVEL_SITE);
  if (const auto real = real_abort.get()) {
    real(guard);
  } else {
    release(static_cast<char*>(guard), /*initialised=*/false);
  }
}
