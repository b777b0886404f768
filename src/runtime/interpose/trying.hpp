/// Operations that can only be tried: nothing shows whether they would succeed. A thread that was
/// refused tries again when one of our threads has used a descriptor, or real time has passed.
#pragma once

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"

namespace unravel {

/// Repeats `attempt`, which answers like a system call, until the answer is not EAGAIN. `op` is
/// reached and has no `can`. Answers the same way, or EINTR if a signal handler ran meanwhile.
template <class Attempt>
long try_until_done(Thread& self, const Op& op, bool blocking, Attempt attempt) {
  const Outside outside{.child = true};
  long result = attempt();
  while (blocking && result == -EAGAIN) {
    self.outside = &outside;
    self.pending = op;
    scheduler().waiting().await_change(self);
    if (self.signals.has_deliverable()) scheduler().waiting().pause(self, op);
    self.outside = nullptr;
    if (op.cancellable) cancellation_point(self);
    if (self.signals.interrupted) return -EINTR;
    result = attempt();
  }
  return result;
}

}  // namespace unravel
