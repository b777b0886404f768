#include "run/busy_process.hpp"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace unravel {

Child start_busy_process(int cpu) {
  const pid_t driver = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return {};
  if (pid == 0) {
    // Only system calls from here on: other threads of the driver may hold locks of libc.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != driver) ::_exit(0);
    set_default_signals();
    ::setpgid(0, 0);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    ::sched_setaffinity(0, sizeof set, &set);
    for (;;) std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ::setpgid(pid, pid);  // parent and child both do this; the first one wins
  return Child(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
}

}  // namespace unravel
