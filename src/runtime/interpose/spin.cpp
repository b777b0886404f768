/// pthread spin locks. To a scheduler they are mutexes.
#include <errno.h>
#include <pthread.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

bool can_lock(const Op& op, const Thread&) {
  constexpr int kFree = 1;  // on x86-64
  return *static_cast<const volatile int*>(op.object) == kFree;
}

const void* object_of(pthread_spinlock_t* lock) { return const_cast<const int*>(lock); }

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_spin_lock, lock);
  const Op op{.kind = wire::Operation::kSpinLock,
              .object = object_of(lock),
              .site = UNRAVEL_SITE,
              .can = can_lock};
  const Elsewhere elsewhere(*self, /*shared=*/true);  // the lock does not say whether it is
  return scheduler().acquire(*self, op, EBUSY, ETIMEDOUT,
                             [&] { return real::pthread_spin_trylock(lock); });
}

UNRAVEL_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_spin_trylock, lock);
  const Op op{
      .kind = wire::Operation::kSpinTryLock, .object = object_of(lock), .site = UNRAVEL_SITE};
  return try_once(*self, op, EBUSY, [&] { return real::pthread_spin_trylock(lock); });
}

UNRAVEL_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_spin_unlock, lock);
  const Op op{
      .kind = wire::Operation::kSpinUnlock, .object = object_of(lock), .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  const int error = real::pthread_spin_unlock(lock);
  scheduler().objects().released(*self, object_of(lock));
  did(*self, op, error);
  return error;
}

UNRAVEL_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  forget(object_of(lock));
  return real::pthread_spin_init(lock, shared);
}

UNRAVEL_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  forget(object_of(lock));
  return real::pthread_spin_destroy(lock);
}
