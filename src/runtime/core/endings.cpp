/// How the scheduler ends a run: everybody is stuck, nobody gets anywhere, the schedule cannot
/// be followed, or there were too many steps.
#include <cstring>

#include "runtime/core/deadlock.hpp"
#include "runtime/core/scheduler.hpp"

namespace unravel {

using wire::FailureKind;
using wire::LastWords;
using wire::Operation;
using wire::ThreadState;

void Scheduler::end_with(LastWords::Kind kind, FailureKind failure, const Thread& thread,
                         const char* text) {
  wire::LastWords& words = host_.words();
  words.kind = kind;
  words.failure = failure;
  words.thread = {.ordinal = thread.ordinal};
  words.clock = thread.clock;
  words.site = host_.site_of(thread.pending.site);
  std::strncpy(words.text, text, sizeof(words.text) - 1);
  thread.record->pending = thread.pending.kind;
  thread.record->object = thread.pending.reported_object();
  if (kind == LastWords::Kind::kFailure && !runnable_.contains(thread.slot)) {
    thread.record->state = ThreadState::kBlocked;
  }
  host_.end();
  __builtin_unreachable();  // a virtual function's attribute is lost on the compiler
}

void Scheduler::end_if_cycle() {
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    Thread* thread = by_slot_[slot];
    if (!thread->in_use || thread->ended) continue;
    if (!Deadlock(*this, Deadlock::For::kNow).closed_by(*thread)) continue;
    end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, *thread, "");
  }
}

void Scheduler::stuck() {
  end_if_cycle();  // nobody is left who could break one
  // Whoever waits on a condition variable or futex is a root: no other thread's doing that we
  // know of would let it go on.
  const Thread* root = nullptr;
  const Thread* any = nullptr;
  const Thread* outside = nullptr;  // wants a lock that nobody here is known to hold
  const Thread* shares = nullptr;   // waits for what a process may give that a child left behind
  for (std::uint32_t slot = slots_; slot-- > 0;) {
    const Thread* thread = by_slot_[slot];
    if (!thread->in_use || thread->ended) continue;
    any = thread;
    if (thread->shared && host_.has_outside()) shares = thread;
    const Operation pending = thread->pending.kind;
    // Whoever blocked last has not been left yet.
    thread->record->pending = pending;
    thread->record->object = thread->pending.reported_object();
    thread->record->state = ThreadState::kBlocked;
    if (thread->waiting && wire::waits_for_wake(pending)) {
      root = thread;
    }
    const Object* object = objects_.find(thread->pending.object);
    if (wire::acquires(pending) && object && !object->holders) outside = thread;
  }
  if (outside) {
    end_with(LastWords::Kind::kUnresolved, FailureKind::kNone, *outside,
             "every thread is blocked, and this one wants a lock that is taken although none of "
             "them holds it: taken in another process or by a thread outside our control, or "
             "overwritten");
  }
  if (shares) {
    end_with(LastWords::Kind::kUnresolved, FailureKind::kNone, *shares,
             "every thread is blocked, and this one waits for something that is shared with other "
             "processes: they are not controlled, and may give it yet");
  }
  if (root) end_with(LastWords::Kind::kFailure, FailureKind::kLostWakeup, *root, "");
  end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, *any, "");
}

void Scheduler::give_up(const Thread& self, const char* why) {
  end_with(LastWords::Kind::kUnresolved, FailureKind::kNone, self, why);
}

void Scheduler::livelock(const Thread& self) {
  end_with(LastWords::Kind::kFailure, FailureKind::kLivelock, self, "");
}

void Scheduler::limit(const Thread& self, const char* text) {
  end_with(LastWords::Kind::kUnresolved, FailureKind::kTimeout, self, text);
}

void Scheduler::diverged(const Thread& self, const Decision& decision) {
  // Older versions told of a cycle at once that others may yet break, and ended the run there.
  if (decision.at_end && Deadlock(*this, Deadlock::For::kNow).closed_by(*by_slot_[self.slot])) {
    end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, self, "");
  }
  wire::LastWords& words = host_.words();
  if (decision.expected) {
    words.expected = *decision.expected;
    words.has_expected = 1;
  }
  end_with(LastWords::Kind::kDivergence, FailureKind::kNone, self, decision.divergence);
}

}  // namespace unravel
