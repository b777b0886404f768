/// Clocks that count processor time, and whose time they count.
#pragma once

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

/// The kernel's number of such a clock: the negated id of its thread or process, then a bit for
/// threads, then the kind.
inline constexpr clockid_t kClockKind = 3, kClockOfDevice = 3, kClockOfThread = 4;

/// Whether pthread_getcpuclockid() or clock_getcpuclockid() returns this clock for any thread or
/// process.
inline bool is_cpu_clock_by_id(clockid_t clock) {
  return clock < 0 && (clock & kClockKind) != kClockOfDevice;
}

/// Whether it is such a clock of our threads or of this process.
inline bool is_own_cpu_clock(clockid_t clock) {
  if (!is_cpu_clock_by_id(clock)) return false;
  const pid_t id = ~(clock >> 3);
  if (id == 0) return true;  // the caller
  if (!(clock & kClockOfThread)) return id == os::call(SYS_getpid);
  for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
    const Thread* thread = scheduler().threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && thread->kernel_id == id) return true;
  }
  return false;
}

/// Whether it counts the processor time of another process, which is not controlled: nothing can be
/// timed by it. The kernel may refuse such a clock with ENOTSUP, and so do we.
inline bool is_cpu_clock_of_others(clockid_t clock) {
  if (!is_cpu_clock_by_id(clock) || is_own_cpu_clock(clock)) return false;
  runtime().warn_uncontrolled("a timer on the processor time of another process");
  return true;
}

}  // namespace unravel
