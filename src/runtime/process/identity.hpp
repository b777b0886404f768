/// The numbers of the program's process: each run has the one that the program saw when it started.
#pragma once

#include <sys/types.h>

namespace unravel {

/// A run is a child of the process in which the program started, and has another number. A program
/// that asked for its number before its first thread goes on with the one that it got; to any other
/// the kernel's are shown.
class Identity {
 public:
  /// The program was told its number while this process was the only one.
  void was_told(pid_t process) { told_ = process; }
  /// This process is a run now.
  void become_run(pid_t run, pid_t server, pid_t parent) {
    run_ = run;
    server_ = server;
    parent_ = parent;
  }

  /// Whether numbers are others than the kernel's.
  [[nodiscard]] bool differs() const { return run_ && told_; }
  /// What the program is told for the kernel's number of a process or thread.
  [[nodiscard]] pid_t shown(pid_t number) const {
    return differs() && number == run_ ? told_ : number;
  }
  /// Likewise for its parent's, or that of a child of the program.
  [[nodiscard]] pid_t shown_parent(pid_t number) const {
    return run_ && number == server_ ? parent_ : shown(number);
  }
  /// The kernel's number for the one that the program has.
  [[nodiscard]] pid_t real(pid_t number) const {
    return differs() && number == told_ ? run_ : number;
  }

 private:
  pid_t told_ = 0;
  pid_t run_ = 0;
  pid_t server_ = 0;
  pid_t parent_ = 0;  // of the server
};

}  // namespace unravel
