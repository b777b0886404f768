#include "runtime/process/thread_exit.hpp"

#include <limits.h>

#include "runtime/core/check.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

void ThreadExit::watch() {
  UNRAVEL_CHECK(pthread_key_create(&key_, on_round) == 0, "no thread-specific key is left");
}

void ThreadExit::on_round(void* thread) {
  auto& self = *static_cast<Thread*>(thread);
  if (current_thread != &self) return;  // in a child that the program forked
  if (++self.destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    runtime().thread_exit().expect(self);
    return;
  }
  // The last thread keeps the turn: libc will call exit() on it.
  if (scheduler().end_thread(self)) current_thread = nullptr;
}

}  // namespace unravel
