/// Guards of static variables in functions. The C++ library's own functions do the work, and wait
/// by futexes, which are under control. It has no hooks, so that a trace would not tell that
/// whoever finds a variable initialised comes after its initialisation.
#include "runtime/interpose/order.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

// Of the C++ library, which there is if anybody calls ours. Acquiring may throw.
constinit real::Real<int (*)(void*)> real_acquire{"__cxa_guard_acquire"};
constinit real::Real<void (*)(void*)> real_release{"__cxa_guard_release"};
constinit real::Real<void (*)(void*)> real_abort{"__cxa_guard_abort"};

}  // namespace

}  // namespace unravel

using namespace unravel;

/// 1: the caller has to initialise it, perhaps after others have tried and failed.
UNRAVEL_EXPORT int __cxa_guard_acquire(void* guard) {
  const int initialises = real_acquire(guard);
  observe(guard, UNRAVEL_SITE);
  return initialises;
}

UNRAVEL_EXPORT void __cxa_guard_release(void* guard) {
  publish(guard, UNRAVEL_SITE);
  real_release(guard);
}

/// The initialisation has thrown.
UNRAVEL_EXPORT void __cxa_guard_abort(void* guard) {
  publish(guard, UNRAVEL_SITE);
  real_abort(guard);
}
