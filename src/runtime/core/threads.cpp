/// The scheduler's part in threads: they appear, end, and leave their slots to others.
#include <new>

#include "runtime/core/scheduler.hpp"

namespace unravel {

wire::Start Scheduler::start() const { return {.clock = running_->clock, .time = time_.now()}; }

void Scheduler::start_from(const wire::Start& start) {
  Thread& only = *by_slot_[running_->slot];
  run_->operations += start.clock.operations - only.clock.operations;
  only.clock = start.clock;
  // Time that the program has seen does not come back.
  time_.advance_to(start.time);
}

using wire::End;
using wire::Operation;
using wire::ThreadState;

Thread* Scheduler::make_thread() {
  std::uint32_t slot = 0;
  while (slot < slots_ && by_slot_[slot]->in_use) ++slot;
  if (slot == wire::kMostThreads || threads_ever_ == kMostThreadsEver) return nullptr;
  if (slot == slots_) ++slots_;

  Thread* thread = by_slot_[slot];
  if (!thread) thread = by_slot_[slot] = arena_.take_array<Thread>(1);
  new (thread) Thread;
  thread->slot = slot;
  thread->in_use = true;
  thread->ordinal = threads_ever_++;
  thread->record = &records_[slot];
  *thread->record = wire::ThreadRecord{};
  thread->record->thread = {.ordinal = thread->ordinal};
  thread->record->state = ThreadState::kBlocked;
  slot_of_[thread->ordinal] = static_cast<std::uint16_t>(slot);
  ++alive_;
  ++run_->threads;
  plan_.thread_appeared(*thread);
  return thread;
}

void Scheduler::drop_thread(Thread& thread) {
  UNRAVEL_CHECK(thread.ordinal + 1 == threads_ever_, "only the newest thread can be dropped");
  --threads_ever_;
  --alive_;
  --run_->threads;
  thread.ended = true;
  forget_thread(thread);
}

void Scheduler::thread_is_ready(Thread& thread, const void* site) {
  thread.pending = Op{.kind = Operation::kStart, .site = site, .number = thread.ordinal};
  thread.clock.hooks = 1;
  thread.record->clock = thread.clock;
  thread.record->state = ThreadState::kRunnable;
  thread.record->pending = Operation::kStart;
  if (plan_.constrained()) plan_.constraints().reached(thread);
  set_runnable(thread, true);
  progress();
}

void Scheduler::adopt(Thread& thread) {
  running_ = &thread;
  set_runnable(thread, true);
  thread.record->state = ThreadState::kRunnable;
}

void Scheduler::count_from_here(Thread& thread) {
  read_off(thread);
  thread.clock = {};
  thread.record->clock = {};
  thread.clock_reads.in_a_row = 0;
  run_->operations = 0;
  run_->steps = 0;
}

void Scheduler::forget_thread(Thread& thread) {
  slot_of_[thread.ordinal] = kNoSlot;
  thread.in_use = false;
  thread.record->state = ThreadState::kFree;
}

Thread* Scheduler::thread_with_handle(unsigned long handle) {
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (thread->in_use && thread->handle == handle) return thread;
  }
  return nullptr;
}

bool Scheduler::end_thread(Thread& self) {
  const Op op{.kind = Operation::kExit, .number = self.ordinal};
  reach(self, op);
  did(self, op);
  if (alive_ == 1) return false;

  --alive_;
  self.ended = true;
  self.pending = Op{};
  self.record->state = ThreadState::kEnded;
  self.record->clock = self.clock;
  runnable_.remove(self.slot);
  if (Object* object = objects_.find(&self)) changed(*object);  // its joiners

  ++run_->steps;
  End end = End::kEnded;
  Thread& next = pick_next(self, Leave::kMayStay, /*due=*/false, &end);
  end_slice(self, End::kEnded);
  pass_turn(self, next);
  if (self.detached) forget_thread(self);
  switcher_.leave_to(self, next);
  return true;
}

}  // namespace unravel
