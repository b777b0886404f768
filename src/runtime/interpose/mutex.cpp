/// pthread mutexes. Only try-forms of the real functions are called: the mutex's own memory says
/// who owns it, and a real lock could sleep in the kernel while holding the turn.
#include "runtime/interpose/mutex.hpp"

#include <errno.h>

#include "runtime/interpose/moment.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

constexpr int kTypeMask = 3;            // PTHREAD_MUTEX_NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE
constexpr int kOwnerMask = 0x3fffffff;  // of a lock word that holds a thread id

bool owned_by(const pthread_mutex_t& mutex, const Thread& thread) {
  return mutex.__data.__lock != 0 && mutex.__data.__owner == thread.kernel_id;
}

/// Locking again what one holds returns at once for these two types.
bool answers_relock(const pthread_mutex_t& mutex) {
  const int type = mutex.__data.__kind & kTypeMask;
  return type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

bool can_lock(const Op& op, const Thread& thread) {
  const auto& mutex = *static_cast<const pthread_mutex_t*>(op.object);
  return (mutex.__data.__lock & kOwnerMask) == 0 ||
         (owned_by(mutex, thread) && answers_relock(mutex));
}

int attempt(pthread_mutex_t* mutex, const Thread& self) {
  // Relocking an errorcheck mutex is EDEADLK by lock and EBUSY by trylock.
  const bool errorcheck = (mutex->__data.__kind & kTypeMask) == PTHREAD_MUTEX_ERRORCHECK;
  if (errorcheck && owned_by(*mutex, self)) return real::pthread_mutex_lock(mutex);
  return real::pthread_mutex_trylock(mutex);
}

int lock_until(Thread& self, pthread_mutex_t* mutex, clockid_t clock, const timespec* moment,
               const void* site) {
  Op op{.kind = wire::Operation::kLock, .object = mutex, .site = site, .can = can_lock};
  if (!is_valid(*moment)) {
    // glibc looks at the time only if it has to wait.
    if (!can_lock(op, self)) return EINVAL;
  } else {
    op.deadline = deadline_at(scheduler().time(), clock, *moment);
  }
  return scheduler().acquire(self, op, EBUSY, ETIMEDOUT, [&] { return attempt(mutex, self); });
}

}  // namespace

int lock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site) {
  const Op op{.kind = wire::Operation::kLock, .object = mutex, .site = site, .can = can_lock};
  return scheduler().acquire(self, op, EBUSY, ETIMEDOUT, [&] { return attempt(mutex, self); });
}

int release_mutex(Thread& self, pthread_mutex_t* mutex) {
  const int error = real::pthread_mutex_unlock(mutex);
  if (error == 0) scheduler().released(self, mutex);
  return error;
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_mutex_lock(mutex);
  return lock_mutex(*self, mutex, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                           const timespec* moment) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_mutex_timedlock(mutex, moment);
  return lock_until(*self, mutex, CLOCK_REALTIME, moment, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* moment) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_mutex_clocklock(mutex, clock, moment);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return lock_until(*self, mutex, clock, moment, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_mutex_trylock(mutex);
  const Op op{.kind = wire::Operation::kTryLock, .object = mutex, .site = UNRAVEL_SITE};
  return try_once(*self, op, EBUSY, [&] { return real::pthread_mutex_trylock(mutex); });
}

UNRAVEL_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_mutex_unlock(mutex);
  const Op op{.kind = wire::Operation::kUnlock, .object = mutex, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  const int error = release_mutex(*self, mutex);
  did(*self, op, error);
  return error;
}

UNRAVEL_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex,
                                      const pthread_mutexattr_t* attributes) noexcept {
  forget(mutex);
  return real::pthread_mutex_init(mutex, attributes);
}

UNRAVEL_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  const int error = real::pthread_mutex_destroy(mutex);
  if (error == 0) forget(mutex);
  return error;
}
