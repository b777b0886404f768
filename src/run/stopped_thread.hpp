/// A thread of a run that is about to be killed, stopped where it is for its registers.
#pragma once

#include <sys/types.h>

#include "symbolize/unwinder.hpp"

namespace unravel {

/// Stops a thread that has left no registers, since it reached no point. It stays stopped until its
/// process is dead. If it went on, a system call in which it waits could return early (EINTR), and
/// what the program makes of that would be our doing.
class StoppedThread {
 public:
  /// Where the system does not allow that, nothing is stopped. `is_own_child`: this process is its
  /// parent, and reaps it in its own time.
  StoppedThread(pid_t kernel_thread, bool is_own_child);
  ~StoppedThread();
  StoppedThread(const StoppedThread&) = delete;
  StoppedThread& operator=(const StoppedThread&) = delete;

  explicit operator bool() const { return is_stopped_; }
  const Registers& registers() const { return registers_; }

  /// After its process got SIGKILL: waits for its end, and lets its parent reap it.
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
