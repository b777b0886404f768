/// Memory that other processes share with this one, and may change.
#pragma once

#include "runtime/process/runtime.hpp"

namespace unravel {

/// While this lives, its thread waits for something that, if it is shared, another process may
/// release: a child that this process has, or is about to make.
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
