/// Semaphores, including named ones. They report errors by errno, which our own attempts must not
/// change.
#include <errno.h>
#include <semaphore.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

int value_of(const sem_t* semaphore) {
  int value = 0;
  // const_cast: sem_getvalue only reads.
  sem_getvalue(const_cast<sem_t*>(semaphore), &value);
  return value;
}

bool can_take(const Op& op, const Thread&) {
  return value_of(static_cast<const sem_t*>(op.object)) > 0;
}

/// glibc's layout (struct new_sem).
struct SemaphoreMemory {
  std::uint64_t value;
  int shared;
};

/// Whether other processes can post it: it was initialised as shared, or it has a name.
bool is_shared(const sem_t* semaphore) {
  return reinterpret_cast<const SemaphoreMemory*>(semaphore)->shared != 0;
}

/// The event has the semaphore's current value, or the error.
void count(Thread& self, const Op& op, int error, const sem_t* semaphore) {
  scheduler().did(self, op, error ? wire::EventResult::kFailed : wire::EventResult::kDone,
                  static_cast<std::uint64_t>(error ? error : value_of(semaphore)));
}

/// Returns 0 or an error number.
int attempt(sem_t* semaphore) { return real::sem_trywait(semaphore) == 0 ? 0 : errno; }

int take(Thread& self, sem_t* semaphore, std::uint64_t deadline, const void* site) {
  ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kSemWait,
              .object = semaphore,
              .site = site,
              .can = can_take,
              .deadline = deadline,
              .interruptible = true,
              .cancellable = true};
  const Elsewhere elsewhere(self, is_shared(semaphore));
  const auto answer = [&] {
    cancellation_point(self);
    if (self.timed_out) return ETIMEDOUT;
    return self.signals.interrupted && !can_take(op, self) ? EINTR : attempt(semaphore);
  };
  scheduler().reach(self, op);
  int error = answer();
  while (error == EAGAIN) {
    scheduler().block(self);
    error = answer();
  }
  if (error == 0) scheduler().objects().changed_at(semaphore);
  count(self, op, error, semaphore);
  return error ? keeper.fail(error) : 0;
}

int take_until(Thread& self, sem_t* semaphore, clockid_t clock, const timespec* until,
               const void* site) {
  if (!is_valid(*until)) {
    errno = EINVAL;
    return -1;
  }
  return take(self, semaphore, deadline_at(scheduler().time(), clock, *until), site);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int sem_wait(sem_t* semaphore) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sem_wait, semaphore);
  return take(*self, semaphore, kNever, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sem_timedwait, semaphore, until);
  return take_until(*self, semaphore, CLOCK_REALTIME, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sem_clockwait, semaphore, clock, until);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) {
    errno = EINVAL;
    return -1;
  }
  return take_until(*self, semaphore, clock, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sem_trywait, semaphore);
  ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kSemTryWait, .object = semaphore, .site = UNRAVEL_SITE};
  scheduler().reach_attempt(*self, op);
  const int error = attempt(semaphore);
  if (error == 0) scheduler().objects().changed_at(semaphore);
  if (error == EAGAIN) scheduler().failed_attempt(*self, op);
  count(*self, op, error, semaphore);
  return error ? keeper.fail(error) : 0;
}

UNRAVEL_EXPORT int sem_post(sem_t* semaphore) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sem_post, semaphore);
  ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kSemPost, .object = semaphore, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  const int error = real::sem_post(semaphore) == 0 ? 0 : errno;
  if (error == 0) scheduler().objects().changed_at(semaphore);
  count(*self, op, error, semaphore);
  return error ? keeper.fail(error) : 0;
}

UNRAVEL_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  forget(semaphore);
  return real::sem_init(semaphore, shared, value);
}

UNRAVEL_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  forget(semaphore);
  return real::sem_destroy(semaphore);
}
