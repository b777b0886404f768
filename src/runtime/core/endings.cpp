#include "runtime/core/endings.hpp"

#include <cstring>

#include "runtime/core/deadlock.hpp"

namespace unravel {

using wire::FailureKind;
using wire::LastWords;
using wire::Operation;
using wire::ThreadState;

void Endings::end_with(LastWords::Kind kind, FailureKind failure, const Thread& thread,
                       const char* text) {
  wire::LastWords& words = state_.host.words();
  words.kind = kind;
  words.failure = failure;
  words.thread = {.ordinal = thread.ordinal};
  words.clock = thread.clock;
  words.site = state_.host.site_of(thread.pending.site);
  words.pending = thread.pending.kind;
  std::strncpy(words.text, text, sizeof(words.text) - 1);
  thread.record->pending = thread.pending.kind;
  thread.record->object = thread.pending.reported_object();
  if (kind == LastWords::Kind::kFailure && !state_.runnable.contains(thread)) {
    thread.record->state = ThreadState::kBlocked;
  }
  state_.host.end();
  __builtin_unreachable();  // the compiler loses [[noreturn]] of a virtual function
}

void Endings::deadlock_if_closed_by(Thread& self) {
  if (!Deadlock(state_.host, objects_, Deadlock::For::kGood).closed_by(self)) return;
  end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, self, "");
}

/// Ends the run if threads wait for each other.
void Endings::end_if_cycle() {
  state_.threads.for_each_live([&](Thread& thread) {
    if (!Deadlock(state_.host, objects_, Deadlock::For::kNow).closed_by(thread)) return;
    end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, thread, "");
  });
}

void Endings::stuck() {
  end_if_cycle();  // no thread is left that could break a cycle
  // A thread that waits on a condition variable or futex is a root: we know of no operation of
  // another thread that would wake it.
  const Thread* root = nullptr;
  const Thread* any = nullptr;
  const Thread* outside = nullptr;  // wants a lock that none of our threads is known to hold
  const Thread* shares = nullptr;  // waits for something that a process left by a child may release
  const Thread* lacks = nullptr;   // waits for an input that was not recorded
  for (std::uint32_t slot = state_.threads.slots(); slot-- > 0;) {
    const Thread* thread = &state_.threads.at(slot);
    if (!thread->in_use || thread->ended) continue;
    any = thread;
    if (thread->shared && state_.host.has_outside()) shares = thread;
    if (state_.host.lacks_input(thread)) lacks = thread;
    const Operation pending = thread->pending.kind;
    // The thread that blocked last has not given up its turn yet.
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
             "every thread is blocked, and this one wants a lock that none of them holds: another "
             "process or a thread that is not controlled has taken it, or its memory was "
             "overwritten");
  }
  if (shares) {
    end_with(LastWords::Kind::kUnresolved, FailureKind::kNone, *shares,
             "every thread is blocked, and this one waits for something that is shared with other "
             "processes: they are not controlled and may still release it");
  }
  if (lacks) {
    end_with(LastWords::Kind::kUnresolved, FailureKind::kNone, *lacks,
             "the program asked for an input that was not recorded: every thread is blocked, and "
             "this one waits for something from outside");
  }
  if (root) end_with(LastWords::Kind::kFailure, FailureKind::kLostWakeup, *root, "");
  end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, *any, "");
}

void Endings::give_up(const Thread& self, const char* why) {
  end_with(LastWords::Kind::kUnresolved, FailureKind::kNone, self, why);
}

void Endings::livelock(const Thread& self) {
  end_with(LastWords::Kind::kFailure, FailureKind::kLivelock, self, "");
}

void Endings::limit(const Thread& self, const char* text) {
  end_with(LastWords::Kind::kUnresolved, FailureKind::kTimeout, self, text);
}

void Endings::diverged(const Thread& self, const Decision& decision) {
  // Older versions ended a run at a cycle that other threads could still have broken.
  if (decision.at_end && Deadlock(state_.host, objects_, Deadlock::For::kNow)
                             .closed_by(state_.threads.at(self.slot))) {
    end_with(LastWords::Kind::kFailure, FailureKind::kDeadlock, self, "");
  }
  wire::LastWords& words = state_.host.words();
  words.divergence = decision.kind;
  if (decision.expected) {
    words.expected = *decision.expected;
    words.has_expected = 1;
  }
  end_with(LastWords::Kind::kDivergence, FailureKind::kNone, self, decision.divergence);
}

}  // namespace unravel
