/// A thread of a run that is stopped between two instructions, and continues afterwards.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace unravel {

/// Only for a thread that computes: stopping could wake a thread that waits in a system call.
class SteppedThread {
 public:
  /// Stops the thread. is_stopped() is false if the system does not permit it, or if the thread is
  /// in the kernel. `is_own_child`: this process is its parent, and reaps it elsewhere.
  SteppedThread(pid_t process, pid_t kernel_thread, bool is_own_child);
  /// Lets it continue.
  ~SteppedThread();
  SteppedThread(const SteppedThread&) = delete;
  SteppedThread& operator=(const SteppedThread&) = delete;

  bool is_stopped() const { return is_stopped_; }
  const user_regs_struct& registers() const { return registers_; }
  /// Vector registers, as the kernel packs them; empty if they cannot be read.
  std::vector<char> vectors() const;

  /// Executes one instruction. Returns false if something else happened; the thread then gets the
  /// signal.
  bool step();

  /// Makes it continue at `entry`, with its present address on top of its stack.
  bool send_to(std::uint64_t entry);

 private:
  bool await_stop();
  bool read_registers();

  const pid_t kernel_thread_;
  const bool is_own_child_;
  bool is_traced_ = false;
  bool is_stopped_ = false;
  int signal_ = 0;  // delivered when it continues
  user_regs_struct registers_ = {};
};

}  // namespace unravel
