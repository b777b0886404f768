/// Processes that the program starts. They run without us, with the signals that the program
/// gave them; waiting for them is a step like any other.
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using wire::Operation;

/// A child inherits the kernel's signal mask: while it is made, that is the program's own. What the
/// kernel holds back for us must not be lost meanwhile: it is fetched before.
class ProgramMask {
 public:
  explicit ProgramMask(const Thread& self) {
    runtime().signals().fetch_outside();
    os::call(SYS_rt_sigprocmask, SIG_SETMASK, os::as_argument(&self.signal_mask),
             os::as_argument(&before_), sizeof(before_));
  }
  ~ProgramMask() {
    os::call(SYS_rt_sigprocmask, SIG_SETMASK, os::as_argument(&before_), 0, sizeof(before_));
  }
  ProgramMask(const ProgramMask&) = delete;
  ProgramMask& operator=(const ProgramMask&) = delete;

 private:
  std::uint64_t before_ = 0;
};

/// The beats of a call that makes a process.
template <class Make>
auto make_process(Thread& self, const void* site, Make make) {
  const Op op{.kind = Operation::kFork, .site = site};
  scheduler().reach(self, op);
  auto result = make();
  const int error = errno;
  if (controlled_thread()) {  // not in the child
    runtime().outsiders().forget_all();
    scheduler().did(self, op);
  }
  errno = error;
  return result;
}

/// Attributes of a process that begins with its maker's signal mask.
posix_spawnattr_t with_mask(const posix_spawnattr_t* attributes, const Thread& self) {
  posix_spawnattr_t own{};
  if (attributes) own = *attributes;
  if (own.__flags & POSIX_SPAWN_SETSIGMASK) return own;
  own.__flags = static_cast<short>(own.__flags | POSIX_SPAWN_SETSIGMASK);
  own.__ss = set_of(self.signal_mask);
  return own;
}

struct ChildWish {
  idtype_t type;
  id_t id;
  int options;
};

bool has_news(const Op&, const Thread& thread) {
  const auto& wish = *static_cast<const ChildWish*>(thread.wanted);
  siginfo_t info{};
  const long result = os::call(SYS_waitid, wish.type, static_cast<long>(wish.id),
                               os::as_argument(&info), wish.options | WNOHANG | WNOWAIT, 0);
  return result < 0 || info.si_pid != 0;  // an error is an answer too
}

/// Waits until `attempt`, made without waiting, has something to say.
template <class Attempt>
long await_child(Thread& self, const ChildWish& wish, bool blocking, const void* site,
                 Attempt attempt) {
  ErrnoKeeper keeper;
  const Outside outside{.child = true};
  const Op op{.kind = Operation::kWaitChild,
              .object = scheduler().outside_object(),
              .site = site,
              .can = blocking ? has_news : nullptr,
              .number = wish.id,
              .interruptible = true};
  self.wanted = &wish;
  self.outside = blocking ? &outside : nullptr;
  scheduler().reach(self, op);
  self.outside = nullptr;
  const bool interrupted = blocking && self.interrupted && !has_news(op, self);
  const long result = interrupted ? -EINTR : attempt();
  did(self, op, result < 0 ? static_cast<int>(-result) : 0);
  return result < 0 ? keeper.fail(static_cast<int>(-result)) : result;
}

/// As system() does it, but others go on while the command runs.
int run_command(Thread& self, const char* command, const void* site) {
  Signals& signals = runtime().signals();
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  struct sigaction interrupt {};
  struct sigaction quit {};
  signals.set_action(SIGINT, &ignored, &interrupt);
  signals.set_action(SIGQUIT, &ignored, &quit);
  posix_spawnattr_t attributes = with_mask(nullptr, self);
  attributes.__flags = static_cast<short>(attributes.__flags | POSIX_SPAWN_SETSIGDEF);
  attributes.__sd = set_of((interrupt.sa_handler == SIG_IGN ? 0 : signal_bit(SIGINT)) |
                           (quit.sa_handler == SIG_IGN ? 0 : signal_bit(SIGQUIT)));
  const std::uint64_t mask = self.signal_mask;
  self.signal_mask |= signal_bit(SIGCHLD);

  pid_t child = 0;
  int status = -1;
  const char* arguments[] = {"sh", "-c", command, nullptr};
  const int error = make_process(self, site, [&] {
    return real::posix_spawn(&child, "/bin/sh", nullptr, &attributes,
                             const_cast<char* const*>(arguments), environ);
  });
  if (error) {
    status = 127 << 8;  // as if the shell had not found it
  } else {
    while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
    }
  }
  signals.set_action(SIGINT, &interrupt, nullptr);
  signals.set_action(SIGQUIT, &quit, nullptr);
  self.signal_mask = mask;
  if (Scheduler::has_signal(self)) signals.handle(self);
  return status;
}

ChildWish wish_of(pid_t pid, int options) {
  const int kinds = WEXITED | (options & WUNTRACED ? WSTOPPED : 0) | (options & WCONTINUED);
  if (pid > 0) return {P_PID, static_cast<id_t>(pid), kinds};
  if (pid == -1) return {P_ALL, 0, kinds};
  return {P_PGID, static_cast<id_t>(pid == 0 ? getpgrp() : -pid), kinds};
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT pid_t wait4(pid_t pid, int* status, int options, rusage* usage) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::wait4(pid, status, options, usage);
  const ChildWish wish = wish_of(pid, options);
  return static_cast<pid_t>(await_child(*self, wish, !(options & WNOHANG), UNRAVEL_SITE, [&] {
    return os::call(SYS_wait4, pid, os::as_argument(status), options | WNOHANG,
                    os::as_argument(usage));
  }));
}

UNRAVEL_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  if (!controlled_thread()) return real::waitpid(pid, status, options);
  return wait4(pid, status, options, nullptr);
}

UNRAVEL_EXPORT pid_t wait(int* status) {
  if (!controlled_thread()) return real::wait(status);
  return wait4(-1, status, 0, nullptr);
}

UNRAVEL_EXPORT pid_t wait3(int* status, int options, rusage* usage) noexcept {
  if (!controlled_thread()) return real::wait3(status, options, usage);
  return wait4(-1, status, options, usage);
}

UNRAVEL_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  Thread* self = controlled_thread();
  if (!self) return real::waitid(type, id, info, options);
  const ChildWish wish{type, id, options & ~(WNOHANG | WNOWAIT)};
  return static_cast<int>(await_child(*self, wish, !(options & WNOHANG), UNRAVEL_SITE, [&] {
    return os::call(SYS_waitid, type, static_cast<long>(id), os::as_argument(info),
                    options | WNOHANG, 0);
  }));
}

UNRAVEL_EXPORT pid_t fork() noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::fork();
  return make_process(*self, UNRAVEL_SITE, [] { return real::fork(); });
}

// A child of vfork would run in our thread's own memory, scheduler and all; a fork does no harm.
UNRAVEL_EXPORT pid_t vfork() noexcept { return fork(); }

UNRAVEL_EXPORT int posix_spawn(pid_t* pid, const char* path,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const arguments[],
                               char* const environment[]) {
  Thread* self = controlled_thread();
  if (!self) return real::posix_spawn(pid, path, actions, attributes, arguments, environment);
  return make_process(*self, UNRAVEL_SITE, [&] {
    const posix_spawnattr_t masked = with_mask(attributes, *self);
    return real::posix_spawn(pid, path, actions, &masked, arguments, environment);
  });
}

UNRAVEL_EXPORT int posix_spawnp(pid_t* pid, const char* file,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const arguments[],
                                char* const environment[]) {
  Thread* self = controlled_thread();
  if (!self) return real::posix_spawnp(pid, file, actions, attributes, arguments, environment);
  return make_process(*self, UNRAVEL_SITE, [&] {
    const posix_spawnattr_t masked = with_mask(attributes, *self);
    return real::posix_spawnp(pid, file, actions, &masked, arguments, environment);
  });
}

UNRAVEL_EXPORT int system(const char* command) {
  Thread* self = controlled_thread();
  if (!self) return real::system(command);
  if (!command) return 1;  // there is a shell
  return run_command(*self, command, UNRAVEL_SITE);
}

UNRAVEL_EXPORT FILE* popen(const char* command, const char* mode) {
  Thread* self = controlled_thread();
  if (!self) return real::popen(command, mode);
  return make_process(*self, UNRAVEL_SITE, [&] {
    const ProgramMask mask(*self);
    return real::popen(command, mode);
  });
}

UNRAVEL_EXPORT int execve(const char* path, char* const arguments[],
                          char* const environment[]) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::execve(path, arguments, environment);
  const ProgramMask mask(*self);
  return real::execve(path, arguments, environment);
}
