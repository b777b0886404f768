/// Turns: one thread has the turn, and at every point it is decided which one has it next.
///
/// At each point settle() finds out whether the thread can go on, decides, and hands over the turn.
/// It returns when the thread has the turn again.
#pragma once

#include "runtime/core/deadlines.hpp"
#include "runtime/core/endings.hpp"
#include "runtime/core/hook_watch.hpp"
#include "runtime/core/outside_events.hpp"
#include "runtime/core/progress.hpp"
#include "runtime/core/run_record.hpp"
#include "runtime/core/run_state.hpp"
#include "runtime/core/shared_objects.hpp"
#include "runtime/core/spin_loops.hpp"

namespace unravel {

class Turns {
 public:
  /// The parts that a decision depends on.
  struct Parts {
    Switcher& switcher;
    RunRecord& record;
    HookWatch& hooks;
    Deadlines& deadlines;
    SharedObjects& objects;
    Endings& endings;
    Progress& progress;
    SpinLoops& spins;
    OutsideEvents& outside;
  };

  Turns(RunState& state, const Parts& parts) : state_(state), parts_(parts) {}

  void begin() { turn_step_ = 0; }

  /// The point before `op`. Returns with the turn, when `op` can be made.
  void reach(Thread& self, const Op& op, Leave leave);
  /// `op` happened: counts it, records it, and passes the point after it if it has one.
  void did(Thread& self, const Op& op, wire::EventResult result, std::uint64_t value);
  /// Counts and records `op`, without a point.
  void count(Thread& self, const Op& op, wire::EventResult result, std::uint64_t value);
  /// Passes a point of the thread that has the turn, before its pending operation. Signal handlers
  /// run there.
  void point(Thread& self, Leave leave);
  /// The same without handlers. `due`: the rule has drawn that it may switch here.
  void pass_point(Thread& self, Leave leave, bool due = false);
  /// Inspects a hook of `self`, which is about to make `op`.
  void inspect_hook(Thread& self, const Op& op, bool marked, bool spins);
  /// The operation cannot be made after all: another thread or process has the object.
  void block(Thread& self) {
    settle(self, false, Leave::kMayStay, /*due=*/false);
    if (self.cancel.pending) leave_if_cancelled(self);
  }
  /// `self` has ended: gives the turn to the next thread. Returns at once.
  void leave(Thread& self);

  /// Sets what `self` is about to do. A deadline that has passed already does not block.
  void set_pending(Thread& self, const Op& op) {
    self.pending = op;
    self.pending.due = op.deadline <= state_.time.now() ? 0 : state_.time.due(op.deadline);
    self.reached_step = state_.slot->steps;
    self.timed_out = false;
  }
  /// Runs the handlers of signals that were sent to `self`.
  void handle_signals(Thread& self);
  /// Ends `self` if it was cancelled and has the asynchronous type.
  void leave_if_cancelled(Thread& self);

 private:
  void settle(Thread& self, bool can_go_on, Leave leave, bool due);
  Thread& pick_next(Thread& self, Leave leave, bool due, wire::End* end);
  Decision next_turn(Thread& self, Leave leave, bool due, wire::End* end);
  bool be_fair(const Thread& self, bool can_go_on, Leave leave, Decision* decision);
  void has_waited(Thread& self, std::uint64_t since) const;
  [[nodiscard]] bool has_long_turn() const;
  void pass_turn(Thread& self, Thread& next);
  void stop_if_due(const Thread& self) {
    if (state_.plan.stops().take_due(self)) [[unlikely]]
      stop(self, wire::StopReason::kClock);
    if (state_.plan.debugger_stop().take_point(self, state_.slot->steps)) [[unlikely]]
      stop(self, wire::StopReason::kDebugger);
  }
  void stop(const Thread& self, wire::StopReason why);
  void stop_before_switch(const Thread& self, const Thread& next);
  void idle(Thread& self);
  void wait_for_any_thread(Thread& self);

  RunState& state_;
  Parts parts_;
  std::uint64_t turn_step_ = 0;  // the step at which the current turn began
};

}  // namespace unravel
