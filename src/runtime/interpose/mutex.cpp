/// pthread mutexes. Only try-forms of the real functions are called: the mutex's own memory says
/// which thread owns it, and a real lock could sleep in the kernel with the turn in hand.
#include "runtime/interpose/mutex.hpp"

#include <errno.h>
#include <limits.h>

#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using wire::EventResult;

// glibc's __kind: the type, then one bit each.
constexpr int kTypeMask = 3;  // PTHREAD_MUTEX_NORMAL, RECURSIVE, ERRORCHECK, ADAPTIVE
constexpr int kRobust = 16;
constexpr int kInherits = 32;
constexpr int kCeiling = 64;
constexpr int kShared = 128;

// The lock word of a robust or inheriting mutex holds its owner's thread id, below two flags of the
// kernel. That of a mutex with a ceiling holds the ceiling in its high bits. In all others it is 0,
// 1 or 2.
constexpr int kOwnerMask = 0x3fffffff;
constexpr int kBelowCeiling = 0x0007ffff;
// As an owner: a robust mutex that was never made consistent.
constexpr int kNotRecoverable = INT_MAX - 1;

bool is_free(const pthread_mutex_t& mutex) {
  const int mask = (mutex.__data.__kind & kCeiling) ? kBelowCeiling : kOwnerMask;
  return (mutex.__data.__lock & mask) == 0;
}

bool owned_by(const pthread_mutex_t& mutex, const Thread& thread) {
  // After an owner's death __owner says so, until the next owner has made the mutex consistent.
  if (mutex.__data.__kind & (kRobust | kInherits)) {
    return (mutex.__data.__lock & kOwnerMask) == thread.kernel_id;
  }
  return !is_free(mutex) && mutex.__data.__owner == thread.kernel_id;
}

/// For these two types, locking again returns at once.
bool answers_relock(const pthread_mutex_t& mutex) {
  const int type = mutex.__data.__kind & kTypeMask;
  return type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK;
}

bool can_lock(const Op& op, const Thread& thread) {
  const auto& mutex = *static_cast<const pthread_mutex_t*>(op.object);
  return is_free(mutex) || (owned_by(mutex, thread) && answers_relock(mutex));
}

int attempt(pthread_mutex_t* mutex, const Thread& self) {
  // Relocking an errorcheck mutex is EDEADLK by lock and EBUSY by trylock. Both refuse a mutex that
  // is not recoverable, but the trylock of glibc 2.36 keeps it locked. Neither lock waits.
  const bool errorcheck = (mutex->__data.__kind & kTypeMask) == PTHREAD_MUTEX_ERRORCHECK;
  const bool lost = mutex->__data.__owner == kNotRecoverable && is_free(*mutex);
  if (lost || (errorcheck && owned_by(*mutex, self))) return real::pthread_mutex_lock(mutex);
  return real::pthread_mutex_trylock(mutex);
}

/// EOWNERDEAD is success: the caller holds the mutex and learns that its last owner died.
bool took(int error) { return error == 0 || error == EOWNERDEAD; }

void count_attempt(Thread& self, const Op& op, int error) {
  if (took(error)) scheduler().objects().acquired(self, op);
  scheduler().did(self, op,
                  self.timed_out ? EventResult::kTimedOut
                  : took(error)  ? EventResult::kDone
                                 : EventResult::kFailed,
                  static_cast<std::uint64_t>(error));
}

int lock(Thread& self, const Op& op, pthread_mutex_t* mutex) {
  const Elsewhere elsewhere(self, mutex->__data.__kind & kShared);
  scheduler().reach(self, op);
  int error = self.timed_out ? ETIMEDOUT : attempt(mutex, self);
  while (error == EBUSY) {
    scheduler().block(self);
    error = self.timed_out ? ETIMEDOUT : attempt(mutex, self);
  }
  count_attempt(self, op, error);
  return error;
}

}  // namespace

int lock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site) {
  const Op op{.kind = wire::Operation::kLock, .object = mutex, .site = site, .can = can_lock};
  return lock(self, op, mutex);
}

int lock_mutex_until(Thread& self, pthread_mutex_t* mutex, clockid_t clock, const timespec* until,
                     const void* site) {
  Op op{.kind = wire::Operation::kLock, .object = mutex, .site = site, .can = can_lock};
  if (!is_valid(*until)) {
    // glibc checks the time only if it has to wait.
    if (!can_lock(op, self)) return EINVAL;
  } else {
    op.deadline = deadline_at(scheduler().time(), clock, *until);
  }
  return lock(self, op, mutex);
}

int try_lock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site) {
  const Op op{.kind = wire::Operation::kTryLock, .object = mutex, .site = site};
  scheduler().reach_attempt(self, op);
  const int error = real::pthread_mutex_trylock(mutex);
  if (error == EBUSY) scheduler().failed_attempt(self, op);
  count_attempt(self, op, error);
  return error;
}

int unlock_mutex(Thread& self, pthread_mutex_t* mutex, const void* site) {
  const Op op{.kind = wire::Operation::kUnlock, .object = mutex, .site = site};
  scheduler().reach(self, op);
  const int error = release_mutex(self, mutex);
  did(self, op, error);
  return error;
}

int release_mutex(Thread& self, pthread_mutex_t* mutex) {
  const int error = real::pthread_mutex_unlock(mutex);
  if (error == 0) scheduler().objects().released(self, mutex);
  return error;
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_mutex_lock, mutex);
  return lock_mutex(*self, mutex, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_mutex_timedlock, mutex, until);
  return lock_mutex_until(*self, mutex, CLOCK_REALTIME, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                           const timespec* until) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_mutex_clocklock, mutex, clock, until);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return lock_mutex_until(*self, mutex, clock, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_mutex_trylock, mutex);
  return try_lock_mutex(*self, mutex, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_mutex_unlock, mutex);
  return unlock_mutex(*self, mutex, UNRAVEL_SITE);
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
