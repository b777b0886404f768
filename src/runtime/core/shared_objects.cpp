#include "runtime/core/shared_objects.hpp"

namespace unravel {

using wire::ThreadState;

void SharedObjects::acquired(Thread& self, const Op& op) {
  Object& object = at(op.object);
  hold(object, self, op.kind, op.site);
  if (object.contenders.size) changed(object);
}

void SharedObjects::released(Thread& self, const void* address) {
  Object* object = find(address);
  if (!object) return;
  release(*object, self);
  if (object->contenders.size) changed(*object);
}

void SharedObjects::changed(Object& object) {
  for (Thread* thread = object.contenders.first; thread; thread = thread->list.next) {
    refresh(*thread);
  }
}

void SharedObjects::refresh(Thread& thread) {
  const auto blocked = [&] {
    return state_.is_left_to_schedule(thread) ? waits(thread) : blocks(thread);
  };
  if (blocked() && thread.pending.due <= state_.time.now()) thread.timed_out = true;
  const bool can_go_on = !blocked();
  state_.runnable.set(thread, can_go_on);
  deadlines_.set(thread, !can_go_on && thread.pending.deadline != kNever);
  thread.record->state = can_go_on ? ThreadState::kRunnable : ThreadState::kBlocked;
}

bool SharedObjects::refresh_contenders() {
  state_.threads.for_each_live([&](Thread& thread) {
    // A thread that is giving up the turn right now is in no list yet.
    if (!thread.waiting && thread.pending.can) refresh(thread);
  });
  return !state_.runnable.empty();
}

}  // namespace unravel
