/// Condition variables, fully modelled: no thread waits on the real ones, so we know which threads
/// wait, and which of them a signal wakes is a choice.
#include "runtime/interpose/cond.hpp"

#include <errno.h>

#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/mutex.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

/// The clock of pthread_cond_timedwait, which pthread_condattr_setclock stored in the object.
clockid_t clock_of(const pthread_cond_t& cond) {
  constexpr unsigned kMonotonicFlag = 2;
  return (cond.__data.__wrefs & kMonotonicFlag) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

bool is_shared(const pthread_cond_t& cond) {
  constexpr unsigned kSharedFlag = 1;
  return cond.__data.__wrefs & kSharedFlag;
}

/// After a signal handler the thread waits again, as in libc. If other threads could run during the
/// handler, one may have signalled while no thread was waiting. Then this is a spurious wake-up,
/// which POSIX allows. The same happens now and then if another process may have signalled.
Waiting::Woken wait_for_signal(Thread& self, pthread_cond_t* cond, const Op& op) {
  const bool shared = is_shared(*cond);
  const Elsewhere elsewhere(self, shared);
  auto woken = scheduler().waiting().wait(self, scheduler().objects().at(cond), op);
  while (woken == Waiting::Woken::kBySignal && !shared && self.signals.handled_quietly &&
         !self.cancel.is_due()) {
    woken = scheduler().waiting().wait_again(self, scheduler().objects().at(cond), op);
  }
  return woken;
}

}  // namespace

int wait_on(Thread& self, pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
            const timespec* until, const void* site) {
  Op op{.kind = wire::Operation::kWait,
        .object = cond,
        .site = site,
        .also = reinterpret_cast<std::uint64_t>(mutex),
        .cancellable = true};
  if (until) {
    if (!is_valid(*until)) return EINVAL;
    op.deadline = deadline_at(scheduler().time(), clock, *until);
  }
  scheduler().reach(self, op);
  if (const int error = release_mutex(self, mutex)) {
    did(self, op, error);
    return error;
  }
  if (recorder.on()) {
    recorder.annotate(wire::Operation::kGiveUp, reinterpret_cast<std::uint64_t>(mutex), 0, 0, site);
  }
  const auto woken = wait_for_signal(self, cond, op);
  // The thread must hold the mutex again when it ends, even if its cancellation is asynchronous.
  const bool anywhere = self.cancel.asynchronous;
  self.cancel.asynchronous = false;
  const int error = lock_mutex(self, mutex, site);
  self.cancel.asynchronous = anywhere;
  // A thread that was woken by a signal of the condition does not end here: that signal would be
  // lost.
  if (woken == Waiting::Woken::kBySignal || anywhere) cancellation_point(self);
  return error ? error : woken == Waiting::Woken::kByDeadline ? ETIMEDOUT : 0;
}

namespace {

int wake(Thread& self, pthread_cond_t* cond, wire::Operation kind, std::uint32_t most,
         const void* site) {
  const Op op{.kind = kind, .object = cond, .site = site};
  scheduler().reach(self, op);
  Object* object = scheduler().objects().find(cond);
  const std::uint32_t woken = object ? scheduler().waiting().wake(self, *object, most) : 0;
  // No thread of ours waits on the real one. This may wake one thread too many, which POSIX allows.
  if (is_shared(*cond)) {
    most == 1 ? real::pthread_cond_signal(cond) : real::pthread_cond_broadcast(cond);
  }
  scheduler().did(self, op, wire::EventResult::kDone, woken);
  return 0;
}

}  // namespace

int signal_one(Thread& self, pthread_cond_t* cond, const void* site) {
  return wake(self, cond, wire::Operation::kSignal, 1, site);
}

int signal_all(Thread& self, pthread_cond_t* cond, const void* site) {
  return wake(self, cond, wire::Operation::kBroadcast, ~0u, site);
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_cond_wait, cond, mutex);
  return wait_on(*self, cond, mutex, CLOCK_REALTIME, nullptr, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                          const timespec* until) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_cond_timedwait, cond, mutex, until);
  return wait_on(*self, cond, mutex, clock_of(*cond), until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                          clockid_t clock, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::pthread_cond_clockwait, cond, mutex, clock, until);
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
  return wait_on(*self, cond, mutex, clock, until, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_cond_signal(pthread_cond_t* cond) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_cond_signal, cond);
  return signal_one(*self, cond, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_cond_broadcast(pthread_cond_t* cond) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_cond_broadcast, cond);
  return signal_all(*self, cond, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_cond_init(pthread_cond_t* cond,
                                     const pthread_condattr_t* attributes) noexcept {
  forget(cond);
  return real::pthread_cond_init(cond, attributes);
}

UNRAVEL_EXPORT int pthread_cond_destroy(pthread_cond_t* cond) noexcept {
  forget(cond);
  return real::pthread_cond_destroy(cond);
}
