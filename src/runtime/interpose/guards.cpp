/// Guards of static variables in functions. The C++ library's own functions do the work, and wait
/// by futexes, which are under control. It has no hooks, so that a trace would not tell that
/// whoever finds a variable initialised comes after its initialisation.
#include "runtime/interpose/order.hpp"
#include "runtime/interpose/time.hpp"
#include "runtime/os/cxx_library.hpp"

namespace unravel {

namespace {

// Acquiring may throw.
constinit os::FromCxxLibrary<int (*)(void*)> real_acquire{"__cxa_guard_acquire"};
constinit os::FromCxxLibrary<void (*)(void*)> real_release{"__cxa_guard_release"};
constinit os::FromCxxLibrary<void (*)(void*)> real_abort{"__cxa_guard_abort"};

// For a plugin that brings its own C++ library along and calls ours all the same. The first byte of
// a guard is the compiler's: it is initialised. The second is ours: somebody is about to do it.
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

/// 1: the caller has to initialise it, perhaps after others have tried and failed.
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

/// The initialisation has thrown.
UNRAVEL_EXPORT void __cxa_guard_abort(void* guard) {
  publish(guard, UNRAVEL_SITE);
  if (const auto real = real_abort.get()) {
    real(guard);
  } else {
    release(static_cast<char*>(guard), /*initialised=*/false);
  }
}
