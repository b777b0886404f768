/// Sending signals by process and thread id.
#pragma once

#include <signal.h>
#include <sys/types.h>

namespace unravel {

// libc has no functions for these. Like its functions, they return -1 and set errno.

/// tkill(): to a thread of any process.
int send_to_thread(pid_t thread, int signal, const void* site);
/// rt_sigqueueinfo() and rt_tgsigqueueinfo().
int queue_to_process(pid_t process, int signal, siginfo_t* info, const void* site);
int queue_to_thread(pid_t process, pid_t thread, int signal, siginfo_t* info, const void* site);

}  // namespace unravel
