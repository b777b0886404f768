/// The scheduler's part in waiting: queues, wakes, and time that passes.
#include "runtime/core/scheduler.hpp"

namespace unravel {

using wire::ChoiceKind;
using wire::Operation;
using wire::ThreadState;

// Points of others for which a thread waits at the most before it looks again.
static constexpr std::uint64_t kMostPatience = 256;

// --- Nobody can run
// --------------------------------------------------------------------------------------

/// Nobody can run: something outside changes, or time goes on to the next deadline, or never will.
void Scheduler::idle(Thread& self) {
  wait_for_anybody(self);
  if (plan_.strict() || time_.is_first_model()) return;
  // What came from outside took its time.
  const std::uint64_t passed = host_.take_waited();
  if (passed == 0) return;
  const std::uint64_t due = next_due();
  const std::uint64_t now = time_.now();
  go_on_by(self, ChoiceKind::kTimePassed, due > now && due - now < passed ? due - now : passed);
}

void Scheduler::wait_for_anybody(Thread& self) {
  while (runnable_.empty()) {
    // A release may have escaped us (an exception that left pthread_once): memory has the last
    // word, and the kernel for descriptors.
    if (refresh_contenders()) return;
    if (spinners_ && retry_spinners(nullptr, 1)) return;
    const bool outside = host_.has_outside();
    // The schedule knows who goes on, unless nobody ever did.
    if (outside && plan_.strict() && !plan_.ends_here(self)) return;
    if (!plan_.strict() && take_signals(self)) continue;
    const std::uint64_t deadline = next_due();
    // While something may come from outside, time goes no faster than there.
    if (host_.wait_outside(deadline)) {
      retry_outside();
      // Whoever let a thread go on may have sent a signal before.
      if (!plan_.strict()) take_signals(self);
      continue;
    }
    if (deadline == kNever && leave_spinners()) continue;
    if (deadline == kNever) stuck();
    if (outside) record_choice(self, ChoiceKind::kSignal, 0);
    pass_time();
  }
}

bool Scheduler::refresh_contenders() {
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    // Whoever is just giving up the turn is not listed yet.
    const bool parked = thread->in_use && !thread->ended && !thread->waiting;
    if (parked && thread->pending.can) refresh(*thread);
  }
  return !runnable_.empty();
}

// --- The outside ---------------------------------------------------------------------------------

/// A schedule lets a thread go on that still waits for something outside: it will come again.
void Scheduler::await_turn_outside(Thread& self, Thread& next) {
  while (blocks(next)) {
    if (!next.outside || !host_.wait_outside(kNever)) {
      diverged(self, {.divergence = "what the next thread waits for outside does not come"});
    }
    next.retry = true;
  }
  set_runnable(next, true);
  timed_.remove(next.slot);
  next.record->state = ThreadState::kRunnable;
}

/// What came from outside here, as the schedule has it.
void Scheduler::follow_outside(Thread& self) {
  for (;;) {
    const wire::Choice* choice = plan_.take(self, ChoiceKind::kSignal);
    if (!choice) choice = plan_.take(self, ChoiceKind::kTimePassed);
    if (!choice) return;
    follow_choice(self, *choice);
  }
}

void Scheduler::follow_choice(Thread& self, const wire::Choice& choice) {
  if (choice.kind == ChoiceKind::kTimePassed) return go_on_by(self, choice.kind, choice.value);
  record_choice(self, ChoiceKind::kSignal, choice.value);
  if (choice.value) {
    host_.deliver_signal(static_cast<int>(choice.value));
  } else {
    pass_time();
  }
}

/// Delivers what came by now.
bool Scheduler::take_signals(Thread& self) {
  bool any = false;
  while (const int signal = host_.arrived_signal()) {
    any = true;
    record_choice(self, ChoiceKind::kSignal, static_cast<std::uint64_t>(signal));
    host_.deliver_signal(signal);
  }
  return any;
}

/// Threads that can run for ever must not keep the others from what they wait for outside.
void Scheduler::sample_outside(Thread& self) {
  if (!plan_.strict()) {
    take_signals(self);
    if (host_.has_outside()) retry_outside(&self);
    return;
  }
  while (const wire::Choice* choice = plan_.recorded(self, ChoiceKind::kSignal)) {
    if (choice->value == 0) return;  // a little later, when nobody could run
    follow_choice(self, *plan_.take(self, ChoiceKind::kSignal));
  }
}

const wire::Choice* Scheduler::recorded_answer(const Thread& self) {
  // To wait for it would be a switch that no schedule of this run could name.
  if (!plan_.strict()) return nullptr;
  const wire::Choice* choice = plan_.take(self, ChoiceKind::kExternal);
  if (!choice) diverged(self, {.divergence = "something came from outside that had not come then"});
  return choice;
}

void Scheduler::answered(const Thread& self, const wire::Choice* recorded, std::uint64_t value) {
  if (recorded && plan_.strict() && recorded->value != value) {
    diverged(self, {.divergence = "what came from outside is not what came then"});
  }
  record_choice(self, ChoiceKind::kExternal, value);
}

/// All of them, also those that want a thing in memory.
void Scheduler::retry_outside(const Thread* except) {
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (!thread->in_use || thread->ended || !thread->outside || thread == except) continue;
    thread->retry = true;
    refresh(*thread);
  }
}

void Scheduler::outside_changed() {
  Object* object = objects_.find(outside_object());
  if (!object) return;
  for (Thread* thread = object->contenders.first; thread; thread = thread->list.next) {
    thread->retry = true;
  }
  changed(*object);
}

void Scheduler::await_change(Thread& self) {
  // It has tried in vain, which is another place than the one before its try. Schedules of file
  // locks are older than this point.
  if (self.pending.kind != Operation::kFileLock) {
    read_off(self);
    ++self.clock.hooks;
    ++run_->steps;
  }
  self.retry = false;
  self.pending.can = [](const Op&, const Thread& thread) { return thread.retry; };
  block(self);
}

// --- Loops that only look ------------------------------------------------------------------------

void Scheduler::spin(Thread& self, const void* site) {
  const Op op{.kind = Operation::kSpinLoop,
              .site = site,
              .can = [](const Op&, const Thread& thread) { return thread.retry; },
              .interruptible = true};
  // To find a thread in its loop takes long: whoever looked in vain looks again after twice as many
  // points of others.
  SpinLoop& spin = self.spin;
  const bool again = spin.operations == self.clock.operations;
  spin.patience = again && spin.patience < kMostPatience ? 2 * spin.patience
                  : again                                ? kMostPatience
                                                         : 1;
  spin.step = run_->steps + 1;  // this point
  self.retry = false;
  ++spinners_;
  reach(self, op);
  --spinners_;
  did(self, op);
  spin.operations = self.clock.operations;
}

/// Spinners for whom others have made `enough` points look again; 0: as many as each waits for.
bool Scheduler::retry_spinners(const Thread* except, std::uint64_t enough) {
  bool any = false;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (!thread->in_use || thread->ended || thread == except) continue;
    if (thread->pending.kind != Operation::kSpinLoop || thread->retry) continue;
    if (run_->steps - thread->spin.step < (enough ? enough : thread->spin.patience)) continue;
    thread->retry = any = true;
    refresh(*thread);
  }
  return any;
}

/// Nobody is left who could end their loops: they go round for real, until the driver has had
/// enough.
bool Scheduler::leave_spinners() {
  if (spinners_ == 0) return false;
  host_.leave_spinners();
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (!thread->in_use || thread->ended) continue;
    if (thread->pending.kind != Operation::kSpinLoop) continue;
    thread->retry = true;
    refresh(*thread);
  }
  return !runnable_.empty();
}

// --- Waiting -----------------------------------------------------------------------------------

Scheduler::Woken Scheduler::wait(Thread& self, Object& object, const Op& op) {
  count(self, op, wire::EventResult::kDone, 0);
  return wait_at_point(self, object, op);
}

Scheduler::Woken Scheduler::wait_again(Thread& self, Object& object, const Op& op) {
  read_off(self);
  ++self.clock.hooks;
  return wait_at_point(self, object, op);
}

Scheduler::Woken Scheduler::wait_at_point(Thread& self, Object& object, const Op& op) {
  set_pending(self, op);
  // What another process does to shared memory wakes nobody here: such a wait ends now and then,
  // and its thread looks for itself.
  self.retry = false;
  self.pending.can = [](const Op&, const Thread& thread) {
    return !thread.waiting || (thread.shared && thread.retry);
  };
  self.waiting = true;
  object.waiters.push(self, object);
  if (self.pending.due <= time_.now()) {
    object.waiters.remove(self);
    self.waiting = false;
    self.timed_out = true;
  }
  point(self, Leave::kMayStay);
  self.pending = Op{};
  if (self.waiting) {
    self.list.object->waiters.remove(self);
    self.waiting = false;
    const wire::Clock before = self.clock;
    handle_signals(self);
    self.signals.handled_quietly = self.clock == before;
    if (self.cancel.pending && !op.cancellable) leave_if_cancelled(self);
    return Woken::kBySignal;
  }
  return self.timed_out ? Woken::kByDeadline : Woken::kByWake;
}

std::uint32_t Scheduler::wake(Thread& self, Object& object, std::uint32_t most,
                              std::uint32_t bits) {
  std::uint32_t woken = 0;
  while (woken < most) {
    std::uint32_t eligible = 0;
    for (Thread* waiter = object.waiters.first; waiter; waiter = waiter->list.next) {
      eligible += (waiter->futex_bits & bits) != 0;
    }
    if (!eligible) break;
    // With as many wakes as waiters, the order makes no difference: all are runnable after.
    Thread* chosen = object.waiters.first;
    if (eligible > most - woken && eligible == object.waiters.size) {
      int index = plan_.choose_waiter(self, chosen, eligible);
      if (index < 0) {
        diverged(self, {.divergence = "the thread that it woke does not wait here"});
      }
      while (index-- > 0) chosen = chosen->list.next;
      record_choice(self, ChoiceKind::kWaiter, chosen->ordinal);
    } else {
      while (!(chosen->futex_bits & bits)) chosen = chosen->list.next;
    }
    if (recorder_.on()) {
      recorder_.annotate(Operation::kWoke, reinterpret_cast<std::uint64_t>(object.address),
                         chosen->ordinal, 0, nullptr);
    }
    object.waiters.remove(*chosen);
    chosen->waiting = false;
    chosen->pending = Op{};
    chosen->record->pending = Operation::kNone;
    chosen->record->state = ThreadState::kRunnable;
    timed_.remove(chosen->slot);
    set_runnable(*chosen, true);
    ++woken;
  }
  return woken;
}

std::uint32_t Scheduler::requeue(Object& from, Object& to, std::uint32_t most) {
  std::uint32_t moved = 0;
  for (; moved < most && from.waiters.first; ++moved) {
    Thread& thread = *from.waiters.first;
    from.waiters.remove(thread);
    to.waiters.push(thread, to);
    thread.pending.object = to.address;
  }
  return moved;
}

bool Scheduler::sleep(Thread& self, const Op& op) {
  if (op.deadline <= time_.now() && !time_.is_first_model()) {
    // To sleep for no time is to let others go first.
    reach(self, op, Leave::kYields);
    did(self, op);
    return true;
  }
  Op blocked = op;
  blocked.can = [](const Op&, const Thread& thread) { return !thread.waiting; };
  self.waiting = true;
  reach(self, blocked);
  const bool interrupted = self.waiting && !self.timed_out;
  self.waiting = false;
  self.timed_out = false;
  if (interrupted) handle_signals(self);
  did(self, op, interrupted ? wire::EventResult::kFailed : wire::EventResult::kDone);
  return !interrupted;
}

void Scheduler::pause(Thread& self, const Op& op) {
  read_off(self);
  ++self.clock.hooks;
  ++run_->steps;
  set_pending(self, op);
  pass_point(self, Leave::kMayStay);
  handle_signals(self);
}

void Scheduler::send_signal(Thread& target, int signal) {
  target.signals.pending |= std::uint64_t{1} << (signal - 1);
  if (!target.ended && has_signal(target)) {
    set_runnable(target, true);
    timed_.remove(target.slot);
    target.record->state = ThreadState::kRunnable;
  }
}

void Scheduler::cancel(Thread& target) {
  target.cancel.pending = true;
  if (target.ended || !goes_on_by_cancel(target)) return;
  set_runnable(target, true);
  timed_.remove(target.slot);
  target.record->state = ThreadState::kRunnable;
}

/// Whoever is of the asynchronous type ends where it is. At a cancellation point its interposer
/// lets it go, which may have something to undo first.
void Scheduler::leave_if_cancelled(Thread& self) {
  if (self.pending.cancellable || self.waiting) return;
  if (!self.cancel.asynchronous || !self.cancel.is_due()) return;
  self.pending = Op{};
  host_.leave_cancelled(self);
}

}  // namespace unravel
