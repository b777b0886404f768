#include "runtime/core/thread_table.hpp"

#include <new>

#include "runtime/core/check.hpp"

namespace unravel {

using wire::ThreadState;

ThreadTable::ThreadTable(Arena& arena, wire::ThreadRecord* records)
    : arena_(arena),
      records_(records),
      by_slot_(arena.take_array<Thread*>(wire::kMostThreads)),
      slot_of_(arena.take_array<std::uint16_t>(kMostThreadsEver)) {}

Thread* ThreadTable::make() {
  std::uint32_t slot = 0;
  while (slot < slots_ && by_slot_[slot]->in_use) ++slot;
  if (slot == wire::kMostThreads || ever_ == kMostThreadsEver) return nullptr;
  if (slot == slots_) ++slots_;

  Thread* thread = by_slot_[slot];
  if (!thread) thread = by_slot_[slot] = arena_.take_array<Thread>(1);
  new (thread) Thread;
  thread->slot = slot;
  thread->in_use = true;
  thread->ordinal = ever_++;
  thread->record = &records_[slot];
  *thread->record = wire::ThreadRecord{};
  thread->record->thread = {.ordinal = thread->ordinal};
  thread->record->state = ThreadState::kBlocked;
  slot_of_[thread->ordinal] = static_cast<std::uint16_t>(slot);
  ++alive_;
  return thread;
}

void ThreadTable::drop(Thread& thread) {
  UNRAVEL_CHECK(thread.ordinal + 1 == ever_, "only the newest thread can be dropped");
  --ever_;
  end(thread);
  forget(thread);
}

void ThreadTable::forget(Thread& thread) {
  slot_of_[thread.ordinal] = kNoSlot;
  thread.in_use = false;
  thread.record->state = ThreadState::kFree;
}

Thread* ThreadTable::with_handle(unsigned long handle) const {
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (thread->in_use && thread->handle == handle) return thread;
  }
  return nullptr;
}

}  // namespace unravel
