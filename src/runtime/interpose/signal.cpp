/// Setting up, blocking and waiting for signals.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

Signals& signals() { return runtime().signals(); }

bool is_pending(const Op&, const Thread& thread) {
  return signals().pending_for(thread) & bits_of(*static_cast<const sigset_t*>(thread.wanted));
}

/// While this lives, its thread waits for the signals of a set: it takes them, and no handler runs
/// for them, even if the program does not block them.
class SignalWait {
 public:
  SignalWait(Thread& self, std::uint64_t set) : self_(self), mask_(self.signals.mask) {
    self.signals.awaited = set & ~kNotOurs;
    self.signals.mask |= self.signals.awaited;
  }
  ~SignalWait() { stop(); }
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  void stop() {
    if (!self_.signals.awaited) return;
    self_.signals.awaited = 0;
    signals().replace_mask(self_, mask_);
  }

 private:
  Thread& self_;
  std::uint64_t mask_;
};

/// Returns the signal, or 0 with an error number.
int wait_for(Thread& self, const sigset_t* set, siginfo_t* info, std::uint64_t deadline,
             const void* site, int* error) {
  const Outside outside{.signals = true, .never_restarts = true};
  const std::uint64_t wanted = bits_of(*set);
  const Op op{.kind = wire::Operation::kSignalWait,
              .object = signals().object(),
              .site = site,
              .can = is_pending,
              .deadline = deadline,
              .number = static_cast<std::uint64_t>(std::countr_zero(wanted) + 1),
              .interruptible = true,
              .cancellable = true};
  SignalWait waiting(self, wanted);
  self.wanted = set;
  self.outside = &outside;
  scheduler().reach(self, op);
  self.outside = nullptr;
  if (self.cancel.is_due()) waiting.stop();
  cancellation_point(self);
  const int signal = signals().take(self, wanted & ~kNotOurs, info);
  *error = signal ? 0 : self.timed_out ? EAGAIN : EINTR;
  waiting.stop();
  did(self, op, *error);
  if (self.signals.has_deliverable()) signals().handle(self);
  return signal;
}

/// pause and sigsuspend: waits until a handler has run under `mask`.
void await_handler(Thread& self, std::uint64_t mask, const void* site) {
  const ErrnoKeeper keeper;
  const std::uint64_t before = self.signals.mask;
  const Outside outside{.signals = true};
  // Only a signal that the thread does not block lets it go on.
  const Op op{.kind = wire::Operation::kPause,
              .object = signals().object(),
              .site = site,
              .can = [](const Op&, const Thread&) { return false; },
              .cancellable = true};
  const std::uint32_t handlers_run = self.signals.handlers_run;
  signals().replace_mask(self, mask);
  // Ignored signals do not end a pause.
  do {
    self.outside = &outside;
    scheduler().waiting().pause(self, op);
    self.outside = nullptr;
    if (self.cancel.is_due()) signals().replace_mask(self, before);
    cancellation_point(self);
  } while (self.signals.handlers_run == handlers_run);
  signals().replace_mask(self, before);
  did(self, op, EINTR);
  if (self.signals.has_deliverable()) signals().handle(self);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int sigaction(int signal, const struct sigaction* action,
                             struct sigaction* old) noexcept {
  if (!controlled_thread() || !Signals::is_ours(signal)) {
    return real::sigaction(signal, action, old);
  }
  return signals().set_action(signal, action, old);
}

UNRAVEL_EXPORT int __sigaction(int signal, const struct sigaction* action,
                               struct sigaction* old) noexcept {
  return sigaction(signal, action, old);
}

UNRAVEL_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sigaltstack, stack, old);
  ErrnoKeeper keeper;
  stack_t before{};
  const long error = os::call(SYS_sigaltstack, os::as_argument(stack), os::as_argument(&before));
  if (error < 0) return keeper.fail(static_cast<int>(-error));
  // If the program has no alternate stack, the kernel has ours.
  if (old && self->signals.stack) *old = before;
  if (old && !self->signals.stack) {
    *old = {};
    old->ss_flags = SS_DISABLE;
  }
  if (!stack) return 0;
  const bool gives = !(stack->ss_flags & SS_DISABLE);
  self->signals.stack = gives ? stack->ss_sp : nullptr;
  self->signals.stack_size = gives ? stack->ss_size : 0;
  if (!gives) give_signal_stack(runtime().signal_stack(self->slot));
  return 0;
}

UNRAVEL_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_sigmask, how, set, old);
  const int error = signals().set_mask(*self, how, set, old);
  if (error == 0 && self->signals.has_deliverable()) signals().handle(*self);
  return error;
}

UNRAVEL_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!controlled_thread()) return real::sigprocmask(how, set, old);
  const int error = pthread_sigmask(how, set, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

UNRAVEL_EXPORT int sigpending(sigset_t* set) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sigpending, set);
  *set = set_of(signals().pending_for(*self) & self->signals.mask);
  return 0;
}

UNRAVEL_EXPORT int sigwait(const sigset_t* set, int* signal) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sigwait, set, signal);
  const ErrnoKeeper keeper;
  int error = 0;
  int taken = 0;
  do taken = wait_for(*self, set, nullptr, kNever, UNRAVEL_SITE, &error);
  while (error == EINTR);
  if (error == 0) *signal = taken;
  return error;
}

UNRAVEL_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sigwaitinfo, set, info);
  ErrnoKeeper keeper;
  int error = 0;
  const int signal = wait_for(*self, set, info, kNever, UNRAVEL_SITE, &error);
  return error ? keeper.fail(error) : signal;
}

UNRAVEL_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* length) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sigtimedwait, set, info, length);
  ErrnoKeeper keeper;
  if (length && (!is_valid(*length) || length->tv_sec < 0)) return keeper.fail(EINVAL);
  int error = 0;
  const std::uint64_t deadline =
      length ? deadline_after(scheduler().time(), nanoseconds(*length)) : kNever;
  const int signal = wait_for(*self, set, info, deadline, UNRAVEL_SITE, &error);
  return error ? keeper.fail(error) : signal;
}

UNRAVEL_EXPORT int pause() {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pause);
  await_handler(*self, self->signals.mask, UNRAVEL_SITE);
  errno = EINTR;
  return -1;
}

UNRAVEL_EXPORT int sigsuspend(const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sigsuspend, mask);
  await_handler(*self, bits_of(*mask), UNRAVEL_SITE);
  errno = EINTR;
  return -1;
}

UNRAVEL_EXPORT int __sigsuspend(const sigset_t* mask) { return sigsuspend(mask); }
