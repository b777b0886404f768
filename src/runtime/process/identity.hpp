/// The process ids that the program sees: each run has the id that the program saw when it started.
#pragma once

#include <sys/types.h>

namespace unravel {

/// A run is a child of the process in which the program started, so it has another id. A program
/// that asked for its id before its first thread keeps that one; any other sees the kernel's ids.
class Identity {
 public:
  /// The program asked for its id while this process was the only one.
  void was_told(pid_t process) { told_ = process; }
  /// This process is a run now.
  void become_run(pid_t run, pid_t server, pid_t parent) {
    run_ = run;
    server_ = server;
    parent_ = parent;
  }

  /// Whether the program's ids differ from the kernel's.
  [[nodiscard]] bool differs() const { return run_ && told_; }
  /// What the program sees for the kernel's id of a process or thread.
  [[nodiscard]] pid_t shown(pid_t number) const {
    return differs() && number == run_ ? told_ : number;
  }
  /// The same for its parent's id, or for that of a child of the program.
  [[nodiscard]] pid_t shown_parent(pid_t number) const {
    return run_ && number == server_ ? parent_ : shown(number);
  }
  /// The kernel's id for an id that the program uses.
  [[nodiscard]] pid_t real(pid_t number) const {
    return differs() && number == told_ ? run_ : number;
  }

 private:
  pid_t told_ = 0;
  pid_t run_ = 0;
  pid_t server_ = 0;
  pid_t parent_ = 0;  // the parent of the server
};

}  // namespace unravel
