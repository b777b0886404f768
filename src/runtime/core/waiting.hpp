/// Waiting: threads that are queued on an object, sleep, or pause, and what lets them go on.
#pragma once

#include "runtime/core/turns.hpp"

namespace unravel {

class Waiting {
 public:
  enum class Woken : std::uint8_t { kByWake, kByDeadline, kBySignal };

  Waiting(RunState& state, Turns& turns, const Turns::Parts& parts)
      : state_(state),
        turns_(turns),
        record_(parts.record),
        hooks_(parts.hooks),
        deadlines_(parts.deadlines),
        endings_(parts.endings),
        spins_(parts.spins) {}

  /// Queues `self` on `object` until another thread wakes it, its deadline comes, or a signal was
  /// handled. `op` is counted here; the wake is followed by its after-point.
  Woken wait(Thread& self, Object& object, const Op& op);
  /// Waits again after a signal; `op` has been counted already.
  Woken wait_again(Thread& self, Object& object, const Op& op);
  /// Wakes up to `most` of the waiters whose bits meet `bits`; returns how many.
  std::uint32_t wake(Thread& self, Object& object, std::uint32_t most, std::uint32_t bits = ~0u);
  /// Moves up to `most` waiters to another queue; returns how many.
  std::uint32_t requeue(Object& from, Object& to, std::uint32_t most);
  /// Blocks without an object until the deadline. False if a signal came first.
  bool sleep(Thread& self, const Op& op);
  /// Blocks until signals were handled; ignores whether `op` could be made.
  void pause(Thread& self, const Op& op);
  /// Blocks until something outside may have changed. For operations that can only be tried.
  void await_change(Thread& self);
  /// `self` is in a loop that only another thread can end: it waits until one has done something,
  /// then tries again.
  void spin(Thread& self, const void* site);

  /// Sends a signal to one thread, which handles it at its next step.
  void send_signal(Thread& target, int signal);
  /// Asks `target` to end. A target that is blocked at a cancellation point can go on, as after a
  /// signal; one of the asynchronous type can go on wherever it is.
  void cancel(Thread& target);

 private:
  Woken wait_at_point(Thread& self, Object& object, const Op& op);
  void let_go_on(Thread& target);

  RunState& state_;
  Turns& turns_;
  RunRecord& record_;
  HookWatch& hooks_;
  Deadlines& deadlines_;
  Endings& endings_;
  SpinLoops& spins_;
};

}  // namespace unravel
