/// A process that this driver started.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/unique_fd.hpp"

namespace unravel {

/// Owns a child process that leads its own process group. The destructor ends every process of the
/// group.
class Child {
 public:
  Child() = default;
  Child(pid_t pid, UniqueFd pidfd);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  explicit operator bool() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  /// Waits at most this long; returns whether the process has ended. Does not reap it.
  bool ended(std::chrono::milliseconds wait = {}) const;

  /// Kills the rest of the group, waits for the process and returns its wait status.
  int end();

  /// Processor time of the last child that was ended, and of the children that it waited for.
  std::chrono::nanoseconds processor_time() const { return processor_time_; }

 private:
  pid_t pid_ = 0;
  UniqueFd pidfd_;
  std::chrono::nanoseconds processor_time_{0};
};

/// In a process that was just forked: resets handlers and mask. Only system calls.
void set_default_signals();

}  // namespace unravel
