/// Signals that the program sends to itself.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/signal.hpp"
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

/// `target` null: any thread of the process may take it. Returns 0 or an error number.
int send(Thread& self, Thread* target, int signal, const siginfo_t& info, const void* site) {
  const ErrnoKeeper keeper;
  const Op op{.kind = wire::Operation::kSendSignal,
              .site = site,
              .number = static_cast<std::uint64_t>(signal)};
  const std::uint32_t ordinal = target ? target->ordinal : 0;
  scheduler().reach(self, op);
  int error = 0;
  if (!target) {
    error = signals().send_to_process(signal, info);
  } else if (target->in_use && target->ordinal == ordinal && !target->ended) {
    error = signals().send(*target, signal, info);  // it did not end while we waited
  }
  did(self, op, error);
  return error;
}

/// The same, for functions that report errors by errno.
int send_or_fail(Thread& self, Thread* target, int signal, const siginfo_t& info,
                 const void* site) {
  const int error = send(self, target, signal, info, site);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/// If the program asked for its id before its first thread, that is the fork server's.
bool means_this_process(pid_t pid) {
  return pid == getpid() || pid == 0 || pid == -getpgrp() ||
         pid == runtime().control().program_process.load(std::memory_order_relaxed);
}

Thread* thread_with_id(pid_t id) {
  for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
    Thread* thread = scheduler().threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && thread->kernel_id == real_process(id)) return thread;
  }
  return nullptr;
}

long kernel_answer(long result) {
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

/// The process of a pidfd; -1: it has none. The kernel shows it only as text.
pid_t process_of(int descriptor) {
  constexpr char kFolder[] = "/proc/self/fdinfo/";
  char path[sizeof(kFolder) + 12] = {};
  char digits[12] = {};
  char* first = digits + sizeof(digits) - 1;
  unsigned number = static_cast<unsigned>(descriptor);
  do *--first = static_cast<char>('0' + number % 10);
  while (number /= 10);
  char* end = path;
  for (const char* c = kFolder; *c; ++c) *end++ = *c;
  for (; *first; ++first) *end++ = *first;
  const long file = os::call(SYS_open, os::as_argument(path), O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[256] = {};
  const long size = os::call(SYS_read, file, os::as_argument(text), sizeof(text) - 1);
  os::call(SYS_close, file);
  for (long i = 0; i + 5 < size; ++i) {
    const bool here =
        text[i] == 'P' && text[i + 1] == 'i' && text[i + 2] == 'd' && text[i + 3] == ':';
    if (!here || (i > 0 && text[i - 1] != '\n')) continue;
    pid_t process = 0;
    for (i += 4; text[i] == '\t' || text[i] == ' '; ++i) {
    }
    for (; text[i] >= '0' && text[i] <= '9'; ++i) process = process * 10 + (text[i] - '0');
    return process;
  }
  return -1;
}

/// The kernel does not let a process send another one a signal that claims to come from kill() or
/// the kernel.
bool may_say(const siginfo_t& info, pid_t process) {
  return (info.si_code < 0 && info.si_code != SI_TKILL) || means_this_process(process);
}

}  // namespace

int send_to_thread(pid_t thread, int signal, const void* site) {
  Thread* self = controlled_thread();
  Thread* target = self ? thread_with_id(thread) : nullptr;
  if (!target || !Signals::is_ours(signal)) {
    return static_cast<int>(kernel_answer(os::call(SYS_tkill, real_process(thread), signal)));
  }
  return send_or_fail(*self, target, signal, sent_info(signal, SI_TKILL), site);
}

int queue_to_process(pid_t process, int signal, siginfo_t* info, const void* site) {
  Thread* self = controlled_thread();
  if (!self || !info || !Signals::is_ours(signal) || !means_this_process(process) ||
      !may_say(*info, process)) {
    return static_cast<int>(
        kernel_answer(os::call(SYS_rt_sigqueueinfo, process, signal, os::as_argument(info))));
  }
  siginfo_t sent = *info;
  sent.si_signo = signal;
  return send_or_fail(*self, nullptr, signal, sent, site);
}

int queue_to_thread(pid_t process, pid_t thread, int signal, siginfo_t* info, const void* site) {
  Thread* self = controlled_thread();
  Thread* target = self ? thread_with_id(thread) : nullptr;
  if (!target || !info || !Signals::is_ours(signal) || !means_this_process(process)) {
    return static_cast<int>(kernel_answer(
        os::call(SYS_rt_tgsigqueueinfo, process, thread, signal, os::as_argument(info))));
  }
  siginfo_t sent = *info;
  sent.si_signo = signal;
  return send_or_fail(*self, target, signal, sent, site);
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int raise(int signal) noexcept {
  Thread* self = controlled_thread();
  if (!self || !Signals::is_ours(signal)) return pass_through(UNRAVEL_SITE, real::raise, signal);
  return send_or_fail(*self, self, signal, sent_info(signal, SI_TKILL), UNRAVEL_SITE);
}

UNRAVEL_EXPORT int gsignal(int signal) noexcept {
  Thread* self = controlled_thread();
  if (!self || !Signals::is_ours(signal)) return pass_through(UNRAVEL_SITE, real::raise, signal);
  return send_or_fail(*self, self, signal, sent_info(signal, SI_TKILL), UNRAVEL_SITE);
}

UNRAVEL_EXPORT int kill(pid_t pid, int signal) noexcept {
  Thread* self = controlled_thread();
  if (self && signal == SIGKILL && means_this_process(pid)) {
    // Recorded now: afterwards it could not be told from a kill from outside.
    runtime().host().record_failure(wire::FailureKind::kSignal, signal, nullptr, nullptr);
  }
  if (!self || !Signals::is_ours(signal) || !means_this_process(pid)) {
    return pass_through(UNRAVEL_SITE, real::kill, real_process(pid), signal);
  }
  return send_or_fail(*self, nullptr, signal, sent_info(signal, SI_USER), UNRAVEL_SITE);
}

UNRAVEL_EXPORT int killpg(pid_t group, int signal) noexcept {
  if (group >= 0) return kill(-group, signal);
  errno = EINVAL;
  return -1;
}

UNRAVEL_EXPORT int tgkill(pid_t process, pid_t thread, int signal) {
  Thread* self = controlled_thread();
  Thread* target = self && means_this_process(process) ? thread_with_id(thread) : nullptr;
  if (!target || !Signals::is_ours(signal)) {
    return static_cast<int>(
        kernel_answer(os::call(SYS_tgkill, real_process(process), real_process(thread), signal)));
  }
  return send_or_fail(*self, target, signal, sent_info(signal, SI_TKILL), UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pidfd_send_signal(int descriptor, int signal, siginfo_t* info,
                                     unsigned flags) noexcept {
  Thread* self = controlled_thread();
  if (!self || flags || !Signals::is_ours(signal) || !means_this_process(process_of(descriptor))) {
    return static_cast<int>(kernel_answer(
        os::call(SYS_pidfd_send_signal, descriptor, signal, os::as_argument(info), flags)));
  }
  const siginfo_t sent = info ? *info : sent_info(signal, SI_USER);
  return send_or_fail(*self, nullptr, signal, sent, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int sigqueue(pid_t pid, int signal, const union sigval value) noexcept {
  Thread* self = controlled_thread();
  if (!self || !Signals::is_ours(signal) || !means_this_process(pid)) {
    return pass_through(UNRAVEL_SITE, real::sigqueue, real_process(pid), signal, value);
  }
  return send_or_fail(*self, nullptr, signal, sent_info(signal, SI_QUEUE, value.sival_ptr),
                      UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_kill(pthread_t handle, int signal) noexcept {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().threads().with_handle(handle) : nullptr;
  if (!target || !Signals::is_ours(signal))
    return pass_through(UNRAVEL_SITE, real::pthread_kill, handle, signal);
  if (target->ended) return 0;  // glibc returns this for a thread that was not joined yet
  return send(*self, target, signal, sent_info(signal, SI_TKILL), UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pthread_sigqueue(pthread_t handle, int signal,
                                    const union sigval value) noexcept {
  Thread* self = controlled_thread();
  Thread* target = self ? scheduler().threads().with_handle(handle) : nullptr;
  if (!target || !Signals::is_ours(signal))
    return pass_through(UNRAVEL_SITE, real::pthread_sigqueue, handle, signal, value);
  if (target->ended) return 0;
  return send(*self, target, signal, sent_info(signal, SI_QUEUE, value.sival_ptr), UNRAVEL_SITE);
}
