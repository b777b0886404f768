/// A thread of a run that is about to be killed, stopped in place to read its registers.
#pragma once

#include <sys/types.h>

#include "symbolize/unwinder.hpp"

namespace unravel {

/// Stops a thread that has left no registers because it reached no point. It stays stopped until
/// its process is dead. If it continued, a system call could return early (EINTR), and the effects
/// would be our fault.
class StoppedThread {
 public:
  /// Stops nothing if the system does not permit it. `is_own_child`: this process is its parent,
  /// and reaps it elsewhere.
  StoppedThread(pid_t kernel_thread, bool is_own_child);
  ~StoppedThread();
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;

  explicit operator bool() const { return is_stopped_; }
  const Registers& registers() const { return registers_; }

  /// Call after its process got SIGKILL: waits for its end, and lets its parent reap it.
  void was_killed();

 private:
  bool await_stop();

  const pid_t kernel_thread_;
  const bool is_own_child_;
  bool is_traced_ = false;
  bool is_stopped_ = false;
  Registers registers_;
};

}  // namespace unravel
