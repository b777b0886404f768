/// The scheduler's part in objects: who holds them, and who can go on when that changes.
#include "runtime/core/scheduler.hpp"

namespace unravel {

using wire::ThreadState;

void Scheduler::acquired(Thread& self, const Op& op) {
  Object& object = objects_.at(op.object);
  objects_.hold(object, self, op.kind, op.site);
  if (object.contenders.size) changed(object);
}

void Scheduler::released(Thread& self, const void* address) {
  Object* object = objects_.find(address);
  if (!object) return;
  objects_.release(*object, self);
  if (object->contenders.size) changed(*object);
}

void Scheduler::changed(Object& object) {
  for (Thread* thread = object.contenders.first; thread; thread = thread->list.next)
    refresh(*thread);
}

void Scheduler::refresh(Thread& thread) {
  const auto blocked = [&] { return is_left_to_schedule(thread) ? waits(thread) : blocks(thread); };
  if (blocked() && thread.pending.due <= time_.now()) thread.timed_out = true;
  const bool can_go_on = !blocked();
  set_runnable(thread, can_go_on);
  timed_.set(thread.slot, !can_go_on && thread.pending.deadline != kNever);
  thread.record->state = can_go_on ? ThreadState::kRunnable : ThreadState::kBlocked;
}

}  // namespace unravel
