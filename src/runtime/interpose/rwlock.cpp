/// Reader-writer locks. The lock's own memory says which threads could enter. Writer preference is
/// modelled: glibc keeps it among its real waiters, but no thread waits there.
#include <errno.h>
#include <pthread.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

// glibc's __readers: bit 0 is the write phase, bit 1 a writer holds it, bit 2 readers wait, then a
// count.
constexpr unsigned kWriterHolds = 2;
constexpr unsigned kReaderShift = 3;

bool written_by(const pthread_rwlock_t& lock, const Thread& thread) {
  return (lock.__data.__readers & kWriterHolds) && lock.__data.__cur_writer == thread.kernel_id;
}

bool writer_waits(const void* lock) {
  const Object* object = scheduler().objects().find(lock);
  for (const Thread* thread = object ? object->contenders.first : nullptr; thread;
       thread = thread->list.next) {
    if (thread->pending.kind == wire::Operation::kWriteLock) return true;
  }
  return false;
}

bool prefers_writers(const pthread_rwlock_t& lock) {
  return lock.__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/// One reader keeps others out if a writer waits and the lock prefers it: such readers are not
/// independent.
std::uint64_t also_read(const pthread_rwlock_t& lock) {
  return prefers_writers(lock) ? reinterpret_cast<std::uint64_t>(&lock) : 0;
}

bool can_read(const Op& op, const Thread& thread) {
  const auto& lock = *static_cast<const pthread_rwlock_t*>(op.object);
  if (written_by(lock, thread)) return true;  // EDEADLK at once
  if (lock.__data.__readers & kWriterHolds) return false;
  // New readers wait while readers are inside and a writer waits.
  return !prefers_writers(lock) || (lock.__data.__readers >> kReaderShift) == 0 ||
         !writer_waits(&lock);
}

bool can_write(const Op& op, const Thread& thread) {
  const auto& lock = *static_cast<const pthread_rwlock_t*>(op.object);
  if (written_by(lock, thread)) return true;
  return !(lock.__data.__readers & kWriterHolds) && (lock.__data.__readers >> kReaderShift) == 0;
}

struct Side {
  wire::Operation kind;
  wire::Operation try_kind;
  Op::Can can;
  int (*attempt)(pthread_rwlock_t*);
  int (*lock)(pthread_rwlock_t*);
};

constexpr Side kRead{wire::Operation::kReadLock, wire::Operation::kTryReadLock, can_read,
                     [](pthread_rwlock_t* lock) { return real::pthread_rwlock_tryrdlock(lock); },
                     [](pthread_rwlock_t* lock) { return real::pthread_rwlock_rdlock(lock); }};
constexpr Side kWrite{wire::Operation::kWriteLock, wire::Operation::kTryWriteLock, can_write,
                      [](pthread_rwlock_t* lock) { return real::pthread_rwlock_trywrlock(lock); },
                      [](pthread_rwlock_t* lock) { return real::pthread_rwlock_wrlock(lock); }};

int enter(Thread& self, const Side& side, pthread_rwlock_t* lock, std::uint64_t deadline,
          const void* site) {
  const Op op{.kind = side.kind,
              .object = lock,
              .site = site,
              .can = side.can,
              .deadline = deadline,
              .also = also_read(*lock)};
  const Elsewhere elsewhere(self, lock->__data.__shared != 0);
  return scheduler().acquire(self, op, EBUSY, ETIMEDOUT, [&] {
    // For a thread that already holds the write lock, the blocking form returns EDEADLK at once.
    return written_by(*lock, self) ? side.lock(lock) : side.attempt(lock);
  });
}

int enter_until(Thread& self, const Side& side, pthread_rwlock_t* lock, clockid_t clock,
                const timespec* until, const void* site) {
  if (!is_valid(*until)) return EINVAL;
  return enter(self, side, lock, deadline_at(scheduler().time(), clock, *until), site);
}

int try_enter(Thread& self, const Side& side, pthread_rwlock_t* lock, const void* site) {
  const Op op{.kind = side.try_kind, .object = lock, .site = site, .also = also_read(*lock)};
  return try_once(self, op, EBUSY, [&] {
    // glibc would see a waiting writer; ours do not wait inside glibc.
    const bool stands_back = side.can == can_read && !can_read(op, self);
    return stands_back ? EBUSY : side.attempt(lock);
  });
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_rdlock, lock);
  return enter(*self, kRead, lock, kNever, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_wrlock, lock);
  return enter(*self, kWrite, lock, kNever, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                              const timespec* until) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_timedrdlock, lock, until);
  return enter_until(*self, kRead, lock, CLOCK_REALTIME, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                              const timespec* until) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_timedwrlock, lock, until);
  return enter_until(*self, kWrite, lock, CLOCK_REALTIME, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* until) noexcept {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::pthread_rwlock_clockrdlock, lock, clock, until);
  return enter_until(*self, kRead, lock, clock, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                              const timespec* until) noexcept {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::pthread_rwlock_clockwrlock, lock, clock, until);
  return enter_until(*self, kWrite, lock, clock, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_tryrdlock, lock);
  return try_enter(*self, kRead, lock, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_trywrlock, lock);
  return try_enter(*self, kWrite, lock, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_rwlock_unlock, lock);
  const Op op{.kind = wire::Operation::kReadWriteUnlock, .object = lock, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  const int error = real::pthread_rwlock_unlock(lock);
  if (error == 0) scheduler().objects().released(*self, lock);
  did(*self, op, error);
  return error;
}

UNRAVEL_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock,
                                       const pthread_rwlockattr_t* attributes) noexcept {
  forget(lock);
  return real::pthread_rwlock_init(lock, attributes);
}

UNRAVEL_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  forget(lock);
  return real::pthread_rwlock_destroy(lock);
}
