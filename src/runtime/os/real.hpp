/// The functions that we stand in front of.
///
/// Resolved on first use, because libraries that are loaded before us may call them in their
/// constructors.
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// <cassert> has it only where assertions are on.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept;

namespace unravel::real {

template <class Function>
struct Real {
  const char* name;
  Function function = nullptr;

  Function get() {
    if (!function) function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    return function;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }
};

// A template argument drops attributes such as nonnull; nothing is lost, they were checked where
// the program called us.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define UNRAVEL_REAL(name) \
  inline constinit Real<decltype(&::name)> name { #name }

UNRAVEL_REAL(pthread_create);
UNRAVEL_REAL(pthread_join);
UNRAVEL_REAL(pthread_tryjoin_np);
UNRAVEL_REAL(pthread_timedjoin_np);
UNRAVEL_REAL(pthread_clockjoin_np);
UNRAVEL_REAL(pthread_detach);

UNRAVEL_REAL(pthread_mutex_init);
UNRAVEL_REAL(pthread_mutex_destroy);
UNRAVEL_REAL(pthread_mutex_lock);
UNRAVEL_REAL(pthread_mutex_trylock);
UNRAVEL_REAL(pthread_mutex_timedlock);
UNRAVEL_REAL(pthread_mutex_clocklock);
UNRAVEL_REAL(pthread_mutex_unlock);

UNRAVEL_REAL(pthread_cond_init);
UNRAVEL_REAL(pthread_cond_destroy);
UNRAVEL_REAL(pthread_cond_wait);
UNRAVEL_REAL(pthread_cond_timedwait);
UNRAVEL_REAL(pthread_cond_clockwait);
UNRAVEL_REAL(pthread_cond_signal);
UNRAVEL_REAL(pthread_cond_broadcast);

UNRAVEL_REAL(pthread_rwlock_init);
UNRAVEL_REAL(pthread_rwlock_destroy);
UNRAVEL_REAL(pthread_rwlock_rdlock);
UNRAVEL_REAL(pthread_rwlock_tryrdlock);
UNRAVEL_REAL(pthread_rwlock_timedrdlock);
UNRAVEL_REAL(pthread_rwlock_clockrdlock);
UNRAVEL_REAL(pthread_rwlock_wrlock);
UNRAVEL_REAL(pthread_rwlock_trywrlock);
UNRAVEL_REAL(pthread_rwlock_timedwrlock);
UNRAVEL_REAL(pthread_rwlock_clockwrlock);
UNRAVEL_REAL(pthread_rwlock_unlock);

UNRAVEL_REAL(sem_init);
UNRAVEL_REAL(sem_destroy);
UNRAVEL_REAL(sem_wait);
UNRAVEL_REAL(sem_trywait);
UNRAVEL_REAL(sem_timedwait);
UNRAVEL_REAL(sem_clockwait);
UNRAVEL_REAL(sem_post);

UNRAVEL_REAL(pthread_barrier_init);
UNRAVEL_REAL(pthread_barrier_destroy);
UNRAVEL_REAL(pthread_barrier_wait);
UNRAVEL_REAL(pthread_once);
UNRAVEL_REAL(pthread_spin_init);
UNRAVEL_REAL(pthread_spin_destroy);
UNRAVEL_REAL(pthread_spin_lock);
UNRAVEL_REAL(pthread_spin_trylock);
UNRAVEL_REAL(pthread_spin_unlock);

UNRAVEL_REAL(sched_yield);
UNRAVEL_REAL(nanosleep);
UNRAVEL_REAL(clock_nanosleep);
UNRAVEL_REAL(usleep);
UNRAVEL_REAL(sleep);
UNRAVEL_REAL(clock_gettime);
UNRAVEL_REAL(gettimeofday);
UNRAVEL_REAL(time);
UNRAVEL_REAL(timespec_get);

UNRAVEL_REAL(exit);
UNRAVEL_REAL(_exit);
UNRAVEL_REAL(__assert_fail);

#undef UNRAVEL_REAL
#pragma GCC diagnostic pop

}  // namespace unravel::real
