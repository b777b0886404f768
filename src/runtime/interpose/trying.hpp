/// What can only be tried, not asked: there is no way to see whether it would succeed. Whoever was
/// refused tries again when one of us has done something with a descriptor, or time has passed
/// outside.
#pragma once

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"

namespace unravel {

/// Makes `attempt`, which answers like a system call, until it does not say EAGAIN. `op` is reached
/// and has no `can`. Answers likewise; EINTR if a signal's handler ran meanwhile.
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
