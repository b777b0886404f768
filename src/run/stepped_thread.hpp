/// A thread of a run that is stopped between two of its instructions, and goes on afterwards.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace unravel {

/// Only for a thread that computes. One that waits in a system call could be woken by it.
class SteppedThread {
 public:
  /// Stops it. Where the system does not allow that, or the thread is in the kernel, is_stopped()
  /// is false. `is_own_child`: this process is its parent, and reaps it in its own time.
  SteppedThread(pid_t process, pid_t kernel_thread, bool is_own_child);
  /// It goes on.
  ~SteppedThread();
  SteppedThread(const SteppedThread&) = delete;
  SteppedThread& operator=(const SteppedThread&) = delete;

  bool is_stopped() const { return is_stopped_; }
  const user_regs_struct& registers() const { return registers_; }
  /// Vector registers, as the kernel packs them; empty if they cannot be had.
  std::vector<char> vectors() const;

  /// One instruction. False if something else happened, of which the thread then learns.
  bool step();

  /// Has it go on at `entry`, with the place where it stands on top of its stack.
  bool send_to(std::uint64_t entry);

 private:
  bool await_stop();
  bool read_registers();

  const pid_t kernel_thread_;
  const bool is_own_child_;
  bool is_traced_ = false;
  bool is_stopped_ = false;
  int signal_ = 0;  // which it gets when it goes on
  user_regs_struct registers_ = {};
};

}  // namespace unravel
