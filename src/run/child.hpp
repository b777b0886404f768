/// A process that this driver started.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/unique_fd.hpp"

namespace unravel {

/// Owns a child process that leads a process group of its own. Where it goes away, so does every
/// process of the group.
class Child {
 public:
  Child() = default;
  Child(pid_t pid, UniqueFd pidfd);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();

  explicit operator bool() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  /// Whether it has ended; waits for that at most so long. It stays unreaped.
  bool ended(std::chrono::milliseconds wait = {}) const;

  /// Kills what is left of the group, waits for the process and gives its wait status.
  int end();

  /// Of the last that was ended: processor time of it and of the children that it waited for.
  std::chrono::nanoseconds processor_time() const { return processor_time_; }

 private:
  pid_t pid_ = 0;
  UniqueFd pidfd_;
  std::chrono::nanoseconds processor_time_{0};
};

/// In a process that was just forked: no handlers, nothing blocked. Only system calls.
void set_default_signals();

}  // namespace unravel
