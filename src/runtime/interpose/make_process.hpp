/// The steps of a call that makes a process.
#pragma once

#include <sys/types.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/os/dispatch.hpp"

namespace unravel {

/// The caller has a child now, or none if `child` is not positive.
inline void made_process(Thread& self, const Op& op, pid_t child) {
  const ErrnoKeeper keeper;
  os::catch_calls_again();
  if (child > 0) {
    runtime().outsiders().record_child(child);
    runtime().control().children.fetch_add(1, std::memory_order_relaxed);
  }
  scheduler().did(self, op);
}

/// `make` returns the process id, 0 in the child, or a negative number on failure.
template <class Make>
pid_t make_process(Thread& self, const void* site, Make make) {
  const Op op{.kind = wire::Operation::kFork, .site = site};
  scheduler().reach(self, op);
  runtime().outsiders().expect_child();
  const pid_t child = make();
  if (current_thread != &self) return child;  // in the child
  made_process(self, op, child);
  return child;
}

}  // namespace unravel
