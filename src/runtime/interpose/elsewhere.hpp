/// What other processes may do to memory that they share with this one.
#pragma once

#include "runtime/process/runtime.hpp"

namespace unravel {

/// While it lives, its thread waits for something that may also be given back in another process,
/// if the thing is shared with others: by a child that this process has, or is about to make.
class Elsewhere {
 public:
  Elsewhere(Thread& self, bool shared) : self_(self) {
    if (!shared) return;
    self.shared = &outside_;
    if (runtime().outsiders().has_child()) self.outside = &outside_;
  }
  ~Elsewhere() { self_.outside = self_.shared = nullptr; }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  Thread& self_;
  Outside outside_{.child = true};
};

}  // namespace unravel
