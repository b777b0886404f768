/// The scheduler's part in waiting: queues, wakes, and time that passes.
#include "runtime/core/scheduler.hpp"

namespace unravel {

using wire::ChoiceKind;
using wire::Operation;
using wire::ThreadState;

// --- Time --------------------------------------------------------------------------------------

Thread* Scheduler::earliest_deadline() const {
  Thread* earliest = nullptr;
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    Thread* thread = by_slot_[slot];
    if (!earliest || thread->pending.deadline < earliest->pending.deadline) earliest = thread;
  }
  return earliest;
}

/// Nobody can run: time goes on to the next deadline, or never will.
void Scheduler::idle() {
  Thread* next = earliest_deadline();
  if (next) return fire(*next);
  // A release may have escaped us (an exception that left pthread_once): memory has the last word.
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (thread->in_use && !thread->ended && thread->listed && !thread->waiting) refresh(*thread);
  }
  if (runnable_.empty()) stuck();
}

/// Time reaches `thread`'s deadline, and with it every earlier one.
void Scheduler::fire(Thread& thread) {
  time_.advance_to(thread.pending.deadline);
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    Thread& due = *by_slot_[slot];
    if (due.pending.deadline > time_.now()) continue;
    timed_.remove(slot);
    due.timed_out = true;
    runnable_.add(slot);
    due.record->state = ThreadState::kRunnable;
    if (!due.waiting) continue;
    due.waiting = false;
    if (due.listed) due.listed->waiters.remove(due);
  }
}

const ThreadSet& Scheduler::fireable(const Thread& self) {
  fireable_ = ThreadSet{};
  if (limits_.timeouts == wire::Timeouts::kIdle || timed_.empty()) return fireable_;
  for (std::uint32_t slot = timed_.first_from(0); slot != ThreadSet::kNone;
       slot = timed_.first_from(slot + 1)) {
    const std::uint64_t deadline = by_slot_[slot]->pending.deadline;
    const bool near = deadline <= time_.now() + wire::kNearNanoseconds;
    if (near || limits_.timeouts == wire::Timeouts::kAny) fireable_.add(slot);
  }
  fireable_.remove(self.slot);
  return fireable_;
}

// --- Waiting -----------------------------------------------------------------------------------

bool Scheduler::wait(Thread& self, Object& object, const Op& op) {
  count(self, op, wire::EventResult::kDone, 0);
  self.pending = op;
  self.pending.can = [](const Op&, const Thread& thread) { return !thread.waiting; };
  self.waiting = true;
  self.timed_out = false;
  object.waiters.push(self, object);
  if (self.pending.deadline <= time_.now()) {
    object.waiters.remove(self);
    self.waiting = false;
    self.timed_out = true;
  }
  point(self, Leave::kMayStay);
  self.pending = Op{};
  return !self.timed_out;
}

std::uint32_t Scheduler::wake(Thread& self, Object& object, std::uint32_t most,
                              std::uint32_t bits) {
  std::uint32_t woken = 0;
  while (woken < most) {
    std::uint32_t eligible = 0;
    for (Thread* waiter = object.waiters.first; waiter; waiter = waiter->next) {
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
      while (index-- > 0) chosen = chosen->next;
      record_choice(self, ChoiceKind::kWaiter, chosen->ordinal);
    } else {
      while (!(chosen->futex_bits & bits)) chosen = chosen->next;
    }
    object.waiters.remove(*chosen);
    chosen->waiting = false;
    chosen->pending = Op{};
    chosen->record->pending = Operation::kNone;
    chosen->record->state = ThreadState::kRunnable;
    timed_.remove(chosen->slot);
    runnable_.add(chosen->slot);
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

void Scheduler::sleep(Thread& self, const Op& op) {
  Op blocked = op;
  blocked.can = [](const Op&, const Thread& thread) { return !thread.waiting; };
  self.waiting = true;
  reach(self, blocked);
  self.waiting = false;
  self.timed_out = false;
  did(self, op);
}

}  // namespace unravel
