#include "runtime/core/turns.hpp"

#include "runtime/core/check.hpp"

namespace unravel {

using wire::ChoiceKind;
using wire::End;
using wire::EventResult;
using wire::ThreadState;

// --- Points ------------------------------------------------------------------------------------

void Turns::reach(Thread& self, const Op& op, Leave leave) {
  parts_.hooks.read_off(self);
  ++self.clock.hooks;
  if (state_.time.is_first_model()) self.clock_reads.in_a_row = 0;
  self.signals.interrupted = false;
  set_pending(self, op);
  point(self, leave);
}

void Turns::did(Thread& self, const Op& op, EventResult result, std::uint64_t value) {
  // Read before count(), which clears the pending operation: `op` may be that one.
  const bool after = wire::traits(op.kind).after;
  count(self, op, result, value);
  if (after) point(self, Leave::kMayStay);
}

void Turns::count(Thread& self, const Op& op, EventResult result, std::uint64_t value) {
  parts_.hooks.read_off(self);
  ++self.clock.operations;
  self.clock.hooks = 0;
  self.hook_points = 0;
  self.reads.repeated = 0;
  ++state_.slot->operations;
  if (result == EventResult::kDone && !wire::has_effect(op.kind, wire::Effect::kPassTime)) {
    parts_.progress.made();
    self.attempts.count = 0;
    if (!state_.time.is_first_model()) self.clock_reads.in_a_row = 0;
  }
  parts_.record.operation(self, op, result, value);
  self.pending = Op{};
  parts_.hooks.aim(self);
}

// Signal handlers run here, since the thread has the turn. They may take what the thread was about
// to take.
void Turns::point(Thread& self, Leave leave) {
  ++state_.slot->steps;
  if (parts_.spins.any()) [[unlikely]] {
    parts_.spins.retry(&self);
    if (parts_.spins.tries_in_vain(self)) parts_.deadlines.pass_while_spinning(self);
  }
  pass_point(self, leave);
  while (self.signals.has_deliverable() && !self.waiting) {
    handle_signals(self);
    if (self.signals.interrupted && self.pending.interruptible) return;
    if (!(self.asks_outside() ? waits(self) : blocks(self))) continue;
    // This is another point: what comes from outside here must not be mistaken for what came
    // before.
    ++self.clock.hooks;
    ++state_.slot->steps;
    pass_point(self, Leave::kMayStay);
  }
}

void Turns::handle_signals(Thread& self) {
  // A handler may synchronise, so the pending operation is put aside meanwhile.
  const Op pending = self.pending;
  const bool timed_out = self.timed_out;
  self.pending = Op{};
  parts_.hooks.aim(self);
  if (state_.recorder.on()) state_.recorder.turn(self);
  state_.host.handle_signals(self);
  parts_.hooks.read_off(self);
  if (state_.recorder.on()) state_.recorder.turn(self);
  self.pending = pending;
  self.timed_out = timed_out;
}

void Turns::pass_point(Thread& self, Leave leave, bool due) {
  Deadlines& deadlines = parts_.deadlines;
  self.record->clock = self.clock;
  if (leave == Leave::kYields) parts_.progress.failed();
  if (state_.plan.strict()) deadlines.follow_jumps(self);
  // Spinning threads may wait for a timer's signal, and no other thread moves the clock.
  if (leave != Leave::kMayStay && parts_.progress.is_fair() && parts_.progress.is_sleepers_turn()) {
    deadlines.jump_to_timer(self);
  }
  deadlines.pass_due_timers();
  if (parts_.outside.watches_signals()) [[unlikely]] {
    parts_.outside.look_for_signals(self);
  }
  if (parts_.outside.is_sample_due()) {
    parts_.outside.sample(self);
    deadlines.let_deadlines_come(self);
  }
  if (state_.limits.most_steps && state_.slot->steps > state_.limits.most_steps) {
    parts_.endings.limit(self, "step limit reached");
  }
  stop_if_due(self);
  deadlines.pass_due();
  bool can_go_on = !(state_.is_left_to_schedule(self) ? waits(self) && state_.plan.waits_here(self)
                                                      : blocks(self));
  if (!can_go_on && self.pending.due <= state_.time.now()) {
    self.timed_out = true;
    can_go_on = true;
  }
  if (!can_go_on || state_.threads.alive() > 1 || leave != Leave::kMayStay ||
      state_.plan.following() || state_.plan.constrained()) {
    settle(self, can_go_on, leave, due);
  }
  if (self.cancel.pending) leave_if_cancelled(self);
  parts_.hooks.aim(self);
}

void Turns::inspect_hook(Thread& self, const Op& op, bool marked, bool spins) {
  const bool drawn = parts_.hooks.is_drawn();
  parts_.hooks.read_off(self);
  // Which hooks are inspected depends on how the run is made; the clock must not depend on it.
  if (state_.time.is_first_model()) self.clock_reads.in_a_row = 0;
  self.pending = op;
  self.timed_out = false;
  bool is_point = state_.plan.is_point(op.kind, marked);
  if (!is_point && state_.plan.needs_point(self)) {
    is_point = true;
    ++self.hook_points;
    ++state_.slot->steps;
  }
  if (is_point || state_.plan.following()) {
    spins = spins || state_.plan.is_spinning(self) ||
            (!marked && state_.plan.inspects_every_point() && parts_.hooks.goes_round(self, op));
    const Leave leave = spins ? Leave::kSpins : Leave::kMayStay;
    pass_point(self, leave, drawn && state_.plan.is_due());
    if (self.signals.has_deliverable()) handle_signals(self);
  } else {
    stop_if_due(self);
  }
  self.pending = Op{};
  parts_.hooks.aim(self);
}

void Turns::stop(const Thread& self, wire::StopReason why) {
  self.record->clock = self.clock;
  self.record->pending = self.pending.kind;
  self.record->object = self.pending.reported_object();
  state_.host.stop(why);
}

void Turns::stop_before_switch(const Thread& self, const Thread& next) {
  DebuggerStop& place = state_.plan.debugger_stop();
  if (!place.take_switch(self, next, state_.slot->switches)) return;
  stop(self, wire::StopReason::kDebugger);
  place.went_on();
}

// --- Decisions ---------------------------------------------------------------------------------

void Turns::settle(Thread& self, bool can_go_on, Leave leave, bool due) {
  state_.runnable.set_running(self, can_go_on);
  if (!can_go_on) {
    if (self.pending.deadline != kNever) {
      // A thread that tries again has a deadline, but its due time is not set yet.
      if (self.pending.due == kNever) self.pending.due = state_.time.due(self.pending.deadline);
      parts_.deadlines.add(self);
    } else if (!self.waiting &&
               (!parts_.deadlines.has_timer() || !state_.host.will_run_handler())) {
      parts_.endings.deadlock_if_closed_by(self);
    }
  }

  End end = End::kPreempted;
  const std::uint64_t before = state_.time.now();
  Thread& next = pick_next(self, leave, due, &end);
  parts_.deadlines.set(self, parts_.deadlines.contains(self) && &next != &self);
  if (&next == &self) {
    if (!can_go_on) has_waited(self, before);
    return;
  }

  stop_before_switch(self, next);
  parts_.record.slice(self, end);
  if (!self.waiting && self.pending.can) {
    Object& object =
        parts_.objects.at(self.pending.object);  // looked up once: a second call may grow the table
    object.contenders.push(self, object);
  }
  next.record->state = ThreadState::kRunnable;
  pass_turn(self, next);
  parts_.switcher.hand_over(self, next);
  if (state_.recorder.on()) state_.recorder.turn(self);

  if (self.list.object && !self.waiting) self.list.object->contenders.remove(self);
  parts_.deadlines.remove(self);
  if (!can_go_on) has_waited(self, before);
}

/// Waiting ends a series of clock reads.
void Turns::has_waited(Thread& self, std::uint64_t since) const {
  if (state_.time.is_first_model()) return;
  self.clock_reads.in_a_row = 0;
  if (state_.time.now() - since >= VirtualTime::kLongWait) self.clock_reads.since_wait = 0;
}

/// The thread that has the turn next; returns when it can run.
Thread& Turns::pick_next(Thread& self, Leave leave, bool due, End* end) {
  if (!state_.runnable.contains(self)) {
    if (state_.plan.strict()) parts_.outside.follow(self);
    if (state_.runnable.empty()) {
      parts_.record.pending(self, state_.host.site_of(self.pending.site));
      idle(self);
    }
  }
  Decision decision = next_turn(self, leave, due, end);
  if (decision.next == ThreadSet::kNone) {  // the schedule has ended
    idle(self);
    decision = next_turn(self, leave, due, end);
  }
  UNRAVEL_CHECK(decision.next != ThreadSet::kNone, "no thread was chosen though one can run");
  Thread& next = state_.threads.at(decision.next);
  if (decision.fires_timeout) {
    parts_.record.choice(next, ChoiceKind::kTimeout, 0);
    parts_.deadlines.fire(next);
  }
  if (!state_.runnable.contains(next)) parts_.outside.await(self, next);
  return next;
}

Decision Turns::next_turn(Thread& self, Leave leave, bool due, End* end) {
  const bool can_go_on = state_.runnable.contains(self);
  // Slices and clock form decide themselves when to leave a thread; the reason that is recorded is
  // the same.
  const bool may_stay = can_go_on && leave == Leave::kMayStay;
  const bool long_turn = may_stay && has_long_turn();
  if (long_turn && state_.plan.may_call_it_spin()) leave = Leave::kSpins;
  if (!self.ended) {
    *end = !can_go_on                            ? End::kBlocked
           : leave == Leave::kYields             ? End::kYielded
           : long_turn || leave == Leave::kSpins ? End::kSpin
                                                 : End::kPreempted;
  }
  parts_.progress.check_for_livelock(self, leave);

  const View view{.current = &self,
                  .can_go_on = can_go_on,
                  .leave = leave,
                  .due = due,
                  .tick = state_.plan.ticks() && state_.host.take_tick(),
                  .runnable = &state_.runnable.set(),
                  .fireable = &parts_.deadlines.fireable(self),
                  .current_fireable = parts_.deadlines.is_fireable(self),
                  .by_slot = state_.threads.by_slot(),
                  .slots = state_.threads.slots(),
                  .queue = &state_.runnable.queue(),
                  .slot_of = state_.threads.slot_of(),
                  .threads_ever = state_.threads.ever(),
                  .step = state_.slot->steps};
  const std::uint32_t usual = may_stay ? self.slot : usual_next(view);
  Decision decision;
  const bool fair = !state_.plan.strict() && be_fair(self, can_go_on, leave, &decision);
  if (!fair) decision = state_.plan.decide(view);
  if (fair) state_.plan.was_not_asked(self, state_.threads.at(decision.next));
  parts_.record.decisions().turn(view, decision);
  if (decision.divergence) parts_.endings.diverged(self, decision);
  if (fair && can_go_on) *end = End::kFairness;
  if (decision.followed) *end = decision.followed->end;  // the recorded reason, not our own
  if (decision.switch_count || decision.next != usual) parts_.record.clock_switches(decision);
  return decision;
}

void Turns::pass_turn(Thread& self, Thread& next) {
  state_.runnable.pass_turn(self, next);
  turn_step_ = state_.slot->steps;
}

/// Whether the thread has had the turn for so long that it may be waiting for another one by
/// locking and reading.
bool Turns::has_long_turn() const {
  return !state_.time.is_first_model() &&
         state_.slot->steps - turn_step_ >= parts_.deadlines.many_points() &&
         state_.runnable.count() > 1;
}

// There was no progress for a while. Each thread gets a turn, sleepers too: the spinning threads
// may wait for one of them.
bool Turns::be_fair(const Thread& self, bool can_go_on, Leave leave, Decision* decision) {
  if (const Thread* sleeper = parts_.deadlines.take_forced()) {
    *decision = Decision{.next = sleeper->slot, .fires_timeout = true};
    return true;
  }
  if (leave == Leave::kMayStay && can_go_on) return false;
  if (!parts_.progress.is_fair()) return false;
  const Thread* sleeper = parts_.deadlines.earliest();
  if (sleeper && leave != Leave::kMayStay && parts_.progress.is_sleepers_turn()) {
    *decision = Decision{.next = sleeper->slot, .fires_timeout = true};
  } else {
    *decision = Decision{.next = state_.runnable.set().next_after(self.slot)};
  }
  return true;
}

// --- No thread can run -------------------------------------------------------------------------

/// Waits until something outside changes or time reaches the next deadline; else the run is stuck.
void Turns::idle(Thread& self) {
  wait_for_any_thread(self);
  if (state_.plan.strict() || state_.time.is_first_model()) return;
  // Virtual time follows the real time of the wait.
  const std::uint64_t passed = state_.host.take_waited();
  if (passed == 0) return;
  const std::uint64_t due = parts_.deadlines.next_due();
  const std::uint64_t now = state_.time.now();
  parts_.deadlines.go_on_by(self, ChoiceKind::kTimePassed,
                            due > now && due - now < passed ? due - now : passed);
}

void Turns::wait_for_any_thread(Thread& self) {
  while (state_.runnable.empty()) {
    // We may have missed a release (an exception that left pthread_once). Memory is the truth, and
    // for descriptors the kernel.
    if (parts_.objects.refresh_contenders()) return;
    if (parts_.spins.any() && parts_.spins.retry_all()) return;
    const bool outside = state_.host.has_outside();
    // The schedule knows which thread goes on, unless the recorded run ended here.
    if (outside && state_.plan.strict() && !state_.plan.ends_here(self)) return;
    if (!state_.plan.strict() && parts_.outside.take_signals(self)) continue;
    const std::uint64_t deadline = parts_.deadlines.next_due();
    // While something may come from outside, virtual time is no faster than real time.
    if (state_.host.wait_outside(deadline)) {
      parts_.outside.retry();
      // The process that let a thread go on may have sent a signal before that.
      if (!state_.plan.strict()) parts_.outside.take_signals(self);
      continue;
    }
    if (deadline == kNever && parts_.spins.let_go()) continue;
    if (deadline == kNever) parts_.endings.stuck();
    if (outside) parts_.record.choice(self, ChoiceKind::kSignal, 0);
    parts_.deadlines.pass_time();
  }
}

// --- Threads that leave ------------------------------------------------------------------------

// At a cancellation point the interposer ends the thread: it may have something to undo first.
void Turns::leave_if_cancelled(Thread& self) {
  if (self.pending.cancellable || self.waiting) return;
  if (!self.cancel.asynchronous || !self.cancel.is_due()) return;
  self.pending = Op{};
  state_.host.leave_cancelled(self);
}

void Turns::leave(Thread& self) {
  ++state_.slot->steps;
  // Other stops are not made here: the thread's record says that it has ended.
  if (state_.plan.debugger_stop().take_point(self, state_.slot->steps)) [[unlikely]]
    stop(self, wire::StopReason::kDebugger);
  End end = End::kEnded;
  Thread& next = pick_next(self, Leave::kMayStay, /*due=*/false, &end);
  stop_before_switch(self, next);
  parts_.record.slice(self, End::kEnded);
  pass_turn(self, next);
  if (self.detached) state_.threads.forget(self);
  parts_.switcher.leave_to(self, next);
}

}  // namespace unravel
