/// Calls that return or take the program's process id: see process/identity.hpp.
#include <sched.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

/// What the program sees for the kernel's id. Remembers that it asked.
pid_t tell(long number) {
  const auto own = static_cast<pid_t>(number);
  const bool may_change = current_thread && runtime().is_starting();
  if (may_change) runtime().identity().was_told(own);
  return shown_process(own);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT pid_t getpid() noexcept { return tell(os::call(SYS_getpid)); }
UNRAVEL_EXPORT pid_t __getpid() noexcept { return tell(os::call(SYS_getpid)); }
UNRAVEL_EXPORT pid_t gettid() noexcept {
  return tell(current_thread ? runtime().back_end().caller_id() : os::call(SYS_gettid));
}

UNRAVEL_EXPORT pid_t getppid() noexcept {
  const auto parent = static_cast<pid_t>(os::call(SYS_getppid));
  const bool knows = current_thread || is_in_child();
  const pid_t shown = knows ? runtime().identity().shown_parent(parent) : parent;
  // The parent of a run is outside its sandbox and has no id there. A parent of 0 is not possible
  // for a program, so it sees process 1 of the sandbox, on which signals have no effect.
  constexpr pid_t kFirst = 1;
  return shown ? shown : kFirst;
}

// --- Groups and sessions: each has the id of its first process -----------------------------------

UNRAVEL_EXPORT pid_t getpgid(pid_t process) noexcept {
  return shown_process(real::getpgid(real_process(process)));
}
UNRAVEL_EXPORT pid_t __getpgid(pid_t process) noexcept { return getpgid(process); }
UNRAVEL_EXPORT pid_t getpgrp() noexcept { return shown_process(real::getpgrp()); }
UNRAVEL_EXPORT pid_t getsid(pid_t process) noexcept {
  return shown_process(real::getsid(real_process(process)));
}
UNRAVEL_EXPORT pid_t setsid() noexcept { return shown_process(real::setsid()); }
UNRAVEL_EXPORT int setpgid(pid_t process, pid_t group) noexcept {
  return real::setpgid(real_process(process), real_process(group));
}
UNRAVEL_EXPORT int __setpgid(pid_t process, pid_t group) noexcept {
  return setpgid(process, group);
}
UNRAVEL_EXPORT pid_t tcgetpgrp(int terminal) noexcept {
  return shown_process(real::tcgetpgrp(terminal));
}
UNRAVEL_EXPORT int tcsetpgrp(int terminal, pid_t group) noexcept {
  return real::tcsetpgrp(terminal, real_process(group));
}

// --- Calls on a process or thread that is named --------------------------------------------------

UNRAVEL_EXPORT int getpriority(__priority_which_t which, id_t who) noexcept {
  return real::getpriority(which, static_cast<id_t>(real_process(static_cast<pid_t>(who))));
}
UNRAVEL_EXPORT int setpriority(__priority_which_t which, id_t who, int value) noexcept {
  return real::setpriority(which, static_cast<id_t>(real_process(static_cast<pid_t>(who))), value);
}
UNRAVEL_EXPORT int sched_getscheduler(pid_t process) noexcept {
  return real::sched_getscheduler(real_process(process));
}
UNRAVEL_EXPORT int __sched_getscheduler(pid_t process) noexcept {
  return sched_getscheduler(process);
}
UNRAVEL_EXPORT int sched_setscheduler(pid_t process, int policy,
                                      const sched_param* parameters) noexcept {
  return real::sched_setscheduler(real_process(process), policy, parameters);
}
UNRAVEL_EXPORT int __sched_setscheduler(pid_t process, int policy,
                                        const sched_param* parameters) noexcept {
  return sched_setscheduler(process, policy, parameters);
}
UNRAVEL_EXPORT int sched_getparam(pid_t process, sched_param* parameters) noexcept {
  return real::sched_getparam(real_process(process), parameters);
}
UNRAVEL_EXPORT int __sched_getparam(pid_t process, sched_param* parameters) noexcept {
  return sched_getparam(process, parameters);
}
UNRAVEL_EXPORT int sched_setparam(pid_t process, const sched_param* parameters) noexcept {
  return real::sched_setparam(real_process(process), parameters);
}
UNRAVEL_EXPORT int sched_rr_get_interval(pid_t process, timespec* interval) noexcept {
  return real::sched_rr_get_interval(real_process(process), interval);
}
UNRAVEL_EXPORT ssize_t process_vm_readv(pid_t process, const iovec* local, unsigned long locals,
                                        const iovec* remote, unsigned long remotes,
                                        unsigned long flags) noexcept {
  return real::process_vm_readv(real_process(process), local, locals, remote, remotes, flags);
}
UNRAVEL_EXPORT ssize_t process_vm_writev(pid_t process, const iovec* local, unsigned long locals,
                                         const iovec* remote, unsigned long remotes,
                                         unsigned long flags) noexcept {
  return real::process_vm_writev(real_process(process), local, locals, remote, remotes, flags);
}
UNRAVEL_EXPORT int pidfd_open(pid_t process, unsigned flags) noexcept {
  return real::pidfd_open(real_process(process), flags);
}
