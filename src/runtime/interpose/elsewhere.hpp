/// What other processes may do to memory that they share with this one.
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "runtime/os/system_call.hpp"
#include "runtime/process/outsiders.hpp"

namespace unravel {

/// While it lives, its thread waits for something that may also be given back in another process,
/// if the thing is shared with others and there are any: this process has a child.
class Elsewhere {
 public:
  Elsewhere(Thread& self, bool shared) : self_(self) {
    if (shared && has_child()) self.outside = &outside_;
  }
  ~Elsewhere() { self_.outside = nullptr; }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  static bool has_child() {
    siginfo_t info;
    return os::call(SYS_waitid, P_ALL, 0, os::as_argument(&info), WEXITED | WNOHANG | WNOWAIT, 0) !=
           -ECHILD;
  }

  Thread& self_;
  Outside outside_{.child = true};
};

}  // namespace unravel
