/// Signals that the program sets up, blocks, sends to itself and waits for.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <bit>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/moment.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

Signals& signals() { return runtime().signals(); }

siginfo_t sent_info(int signal, int code, void* value = nullptr) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = value;
  return info;
}

/// `target` null: whoever of the process takes it.
void send(Thread& self, Thread* target, int signal, const siginfo_t& info, const void* site) {
  const ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kSendSignal,
              .site = site,
              .number = static_cast<std::uint64_t>(signal)};
  scheduler().reach(self, op);
  if (target) {
    signals().send(*target, signal, info);
  } else {
    signals().send_to_process(signal, info);
  }
  scheduler().did(self, op);
}

/// A number that the program asked for before its first thread is the fork server's.
bool means_this_process(pid_t pid) {
  return pid == getpid() || pid == 0 || pid == -getpgrp() ||
         pid == runtime().control().program_process.load(std::memory_order_relaxed);
}

bool is_pending(const Op&, const Thread& thread) {
  return signals().pending_for(thread) & bits_of(*static_cast<const sigset_t*>(thread.wanted));
}

/// The signal, or 0 with an error number.
int wait_for(Thread& self, const sigset_t* set, siginfo_t* info, std::uint64_t deadline,
             const void* site, int* error) {
  const Outside outside{.signals = true, .never_restarts = true};
  const Op op{.kind = wire::Operation::kSignalWait,
              .object = signals().object(),
              .site = site,
              .can = is_pending,
              .deadline = deadline,
              .number = static_cast<std::uint64_t>(std::countr_zero(bits_of(*set)) + 1),
              .interruptible = true};
  self.wanted = set;
  self.outside = &outside;
  scheduler().reach(self, op);
  self.outside = nullptr;
  const int signal = signals().take(self, bits_of(*set), info);
  *error = signal ? 0 : self.timed_out ? EAGAIN : EINTR;
  did(self, op, *error);
  return signal;
}

/// pause and sigsuspend: until a handler has run under `mask`.
void await_handler(Thread& self, std::uint64_t mask, const void* site) {
  const ErrnoKeeper keeper;
  const std::uint64_t before = self.signal_mask;
  const Outside outside{.signals = true};
  // Nothing but a signal that it does not block lets it go on.
  const Op op{.kind = wire::Operation::kPause,
              .object = signals().object(),
              .site = site,
              .can = [](const Op&, const Thread&) { return false; }};
  sigset_t suspended = set_of(mask);
  signals().set_mask(self, SIG_SETMASK, &suspended, nullptr);
  self.outside = &outside;
  scheduler().pause(self, op);
  self.outside = nullptr;
  self.signal_mask = before;
  did(self, op, EINTR);
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

UNRAVEL_EXPORT __sighandler_t signal(int number, __sighandler_t handler) noexcept {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  struct sigaction old {};
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

UNRAVEL_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_sigmask(how, set, old);
  const int error = signals().set_mask(*self, how, set, old);
  if (error == 0 && Scheduler::has_signal(*self)) signals().handle(*self);
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
  if (!self) return real::sigpending(set);
  *set = set_of(signals().pending_for(*self) & self->signal_mask);
  return 0;
}

UNRAVEL_EXPORT int raise(int signal) noexcept {
  Thread* self = controlled_thread();
  if (!self || !Signals::is_ours(signal)) return real::raise(signal);
  send(*self, self, signal, sent_info(signal, SI_TKILL), UNRAVEL_SITE);
  return 0;
}

UNRAVEL_EXPORT int kill(pid_t pid, int signal) noexcept {
  Thread* self = controlled_thread();
  if (self && signal == SIGKILL && means_this_process(pid)) {
    // Nobody could tell it from a kill from outside afterwards.
    runtime().note_failure(wire::FailureKind::kSignal, signal, nullptr, nullptr);
  }
  if (!self || !Signals::is_ours(signal) || !means_this_process(pid)) {
    return real::kill(pid, signal);
  }
  send(*self, nullptr, signal, sent_info(signal, SI_USER), UNRAVEL_SITE);
  return 0;
}

UNRAVEL_EXPORT int sigqueue(pid_t pid, int signal, const union sigval value) noexcept {
  Thread* self = controlled_thread();
  if (!self || !Signals::is_ours(signal) || !means_this_process(pid)) {
    return real::sigqueue(pid, signal, value);
  }
  send(*self, nullptr, signal, sent_info(signal, SI_QUEUE, value.sival_ptr), UNRAVEL_SITE);
  return 0;
}

UNRAVEL_EXPORT int pthread_kill(pthread_t handle, int signal) noexcept {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().thread_with_handle(handle) : nullptr;
  if (!target || !Signals::is_ours(signal)) return real::pthread_kill(handle, signal);
  if (target->ended) return 0;  // as glibc says of a thread that was not joined yet
  send(*self, target, signal, sent_info(signal, SI_TKILL), UNRAVEL_SITE);
  return 0;
}

UNRAVEL_EXPORT int pthread_sigqueue(pthread_t handle, int signal,
                                    const union sigval value) noexcept {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().thread_with_handle(handle) : nullptr;
  if (!target || !Signals::is_ours(signal)) return real::pthread_sigqueue(handle, signal, value);
  if (target->ended) return 0;
  send(*self, target, signal, sent_info(signal, SI_QUEUE, value.sival_ptr), UNRAVEL_SITE);
  return 0;
}

UNRAVEL_EXPORT int sigwait(const sigset_t* set, int* signal) {
  Thread* self = controlled_thread();
  if (!self) return real::sigwait(set, signal);
  const ErrnoKeeper keeper;
  int error = 0;
  do *signal = wait_for(*self, set, nullptr, kNever, UNRAVEL_SITE, &error);
  while (error == EINTR);
  return error;
}

UNRAVEL_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  Thread* self = controlled_thread();
  if (!self) return real::sigwaitinfo(set, info);
  ErrnoKeeper keeper;
  int error = 0;
  const int signal = wait_for(*self, set, info, kNever, UNRAVEL_SITE, &error);
  return error ? keeper.fail(error) : signal;
}

UNRAVEL_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* length) {
  Thread* self = controlled_thread();
  if (!self) return real::sigtimedwait(set, info, length);
  ErrnoKeeper keeper;
  if (!is_valid(*length)) return keeper.fail(EINVAL);
  int error = 0;
  const std::uint64_t deadline = scheduler().time().now() + nanoseconds(*length);
  const int signal = wait_for(*self, set, info, deadline, UNRAVEL_SITE, &error);
  return error ? keeper.fail(error) : signal;
}

UNRAVEL_EXPORT int pause() {
  Thread* self = controlled_thread();
  if (!self) return real::pause();
  await_handler(*self, self->signal_mask, UNRAVEL_SITE);
  errno = EINTR;
  return -1;
}

UNRAVEL_EXPORT int sigsuspend(const sigset_t* mask) {
  Thread* self = controlled_thread();
  if (!self) return real::sigsuspend(mask);
  await_handler(*self, bits_of(*mask), UNRAVEL_SITE);
  errno = EINTR;
  return -1;
}
