#include "runtime/core/waiting.hpp"

namespace unravel {

using wire::ChoiceKind;
using wire::Operation;

Waiting::Woken Waiting::wait(Thread& self, Object& object, const Op& op) {
  turns_.count(self, op, wire::EventResult::kDone, 0);
  return wait_at_point(self, object, op);
}

Waiting::Woken Waiting::wait_again(Thread& self, Object& object, const Op& op) {
  hooks_.read_off(self);
  ++self.clock.hooks;
  return wait_at_point(self, object, op);
}

Waiting::Woken Waiting::wait_at_point(Thread& self, Object& object, const Op& op) {
  turns_.set_pending(self, op);
  // What another process does to shared memory wakes no thread here. Such a wait ends now and then,
  // and its thread checks the memory itself.
  self.retry = false;
  self.pending.can = [](const Op&, const Thread& thread) {
    return !thread.waiting || (thread.shared && thread.retry);
  };
  self.waiting = true;
  object.waiters.push(self, object);
  if (self.pending.due <= state_.time.now()) {
    object.waiters.remove(self);
    self.waiting = false;
    self.timed_out = true;
  }
  turns_.point(self, Leave::kMayStay);
  self.pending = Op{};
  if (self.waiting) {
    self.list.object->waiters.remove(self);
    self.waiting = false;
    const wire::Clock before = self.clock;
    turns_.handle_signals(self);
    self.signals.handled_quietly = self.clock == before;
    if (self.cancel.pending && !op.cancellable) turns_.leave_if_cancelled(self);
    return Woken::kBySignal;
  }
  return self.timed_out ? Woken::kByDeadline : Woken::kByWake;
}

std::uint32_t Waiting::wake(Thread& self, Object& object, std::uint32_t most, std::uint32_t bits) {
  std::uint32_t woken = 0;
  while (woken < most) {
    std::uint32_t eligible = 0;
    for (Thread* waiter = object.waiters.first; waiter; waiter = waiter->list.next) {
      eligible += (waiter->futex_bits & bits) != 0;
    }
    if (!eligible) break;
    // If there are as many wakes as waiters, the order makes no difference: all can run afterwards.
    Thread* chosen = object.waiters.first;
    if (eligible > most - woken && eligible == object.waiters.size) {
      int index = state_.plan.choose_waiter(self, chosen, eligible);
      if (index < 0) {
        endings_.diverged(
            self, {.divergence = "the thread that it woke in the recorded run does not wait here",
                   .kind = wire::DivergenceKind::kWaiter});
      }
      const Thread* const first = chosen;
      while (index-- > 0) chosen = chosen->list.next;
      record_.decisions().waiter(*chosen, first, eligible, state_.slot->steps);
      record_.choice(self, ChoiceKind::kWaiter, chosen->ordinal);
    } else {
      while (!(chosen->futex_bits & bits)) chosen = chosen->list.next;
    }
    if (state_.recorder.on()) {
      state_.recorder.annotate(Operation::kWoke, reinterpret_cast<std::uint64_t>(object.address),
                               chosen->ordinal, 0, nullptr);
    }
    object.waiters.remove(*chosen);
    chosen->waiting = false;
    chosen->pending = Op{};
    chosen->record->pending = Operation::kNone;
    let_go_on(*chosen);
    ++woken;
  }
  return woken;
}

std::uint32_t Waiting::requeue(Object& from, Object& to, std::uint32_t most) {
  std::uint32_t moved = 0;
  for (; moved < most && from.waiters.first; ++moved) {
    Thread& thread = *from.waiters.first;
    from.waiters.remove(thread);
    to.waiters.push(thread, to);
    thread.pending.object = to.address;
  }
  return moved;
}

bool Waiting::sleep(Thread& self, const Op& op) {
  if (op.deadline <= state_.time.now() && !state_.time.is_first_model()) {
    // A sleep of no time lets others go first.
    turns_.reach(self, op, Leave::kYields);
    turns_.did(self, op, wire::EventResult::kDone, 0);
    return true;
  }
  Op blocked = op;
  blocked.can = [](const Op&, const Thread& thread) { return !thread.waiting; };
  self.waiting = true;
  turns_.reach(self, blocked, Leave::kMayStay);
  const bool interrupted = self.waiting && !self.timed_out;
  self.waiting = false;
  self.timed_out = false;
  if (interrupted) turns_.handle_signals(self);
  turns_.did(self, op, interrupted ? wire::EventResult::kFailed : wire::EventResult::kDone, 0);
  return !interrupted;
}

void Waiting::pause(Thread& self, const Op& op) {
  hooks_.read_off(self);
  ++self.clock.hooks;
  ++state_.slot->steps;
  turns_.set_pending(self, op);
  turns_.pass_point(self, Leave::kMayStay);
  turns_.handle_signals(self);
}

void Waiting::await_change(Thread& self) {
  // The thread has tried in vain: this is a point after the one before the attempt. Schedules with
  // file locks are older than this point, so file locks have none.
  if (self.pending.kind != Operation::kFileLock) {
    hooks_.read_off(self);
    ++self.clock.hooks;
    ++state_.slot->steps;
  }
  self.retry = false;
  self.pending.can = [](const Op&, const Thread& thread) { return thread.retry; };
  turns_.block(self);
}

void Waiting::spin(Thread& self, const void* site) {
  const Op op{.kind = Operation::kSpinLoop,
              .site = site,
              .can = [](const Op&, const Thread& thread) { return thread.retry; },
              .interruptible = true};
  spins_.enter(self);
  turns_.reach(self, op, Leave::kMayStay);
  turns_.did(self, op, wire::EventResult::kDone, 0);
  spins_.leave(self);
}

/// The thread can take a step, whatever it waits for.
void Waiting::let_go_on(Thread& target) {
  state_.make_runnable(target);
  deadlines_.remove(target);
}

void Waiting::send_signal(Thread& target, int signal) {
  target.signals.pending |= std::uint64_t{1} << (signal - 1);
  if (!target.ended && target.signals.has_deliverable()) let_go_on(target);
}

void Waiting::cancel(Thread& target) {
  target.cancel.pending = true;
  if (!target.ended && goes_on_by_cancel(target)) let_go_on(target);
}

}  // namespace unravel
