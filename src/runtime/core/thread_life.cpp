#include "runtime/core/thread_life.hpp"

namespace unravel {

using wire::Operation;
using wire::ThreadState;

Thread* ThreadLife::make() {
  Thread* thread = state_.threads.make();
  if (!thread) return nullptr;
  ++state_.slot->threads;
  state_.plan.thread_appeared(*thread);
  return thread;
}

void ThreadLife::drop(Thread& thread) {
  state_.threads.drop(thread);
  --state_.slot->threads;
}

void ThreadLife::ready(Thread& thread, const void* site) {
  thread.pending = Op{.kind = Operation::kStart, .site = site, .number = thread.ordinal};
  thread.clock.hooks = 1;
  thread.record->clock = thread.clock;
  thread.record->pending = Operation::kStart;
  if (state_.plan.constrained()) state_.plan.constraints().reached(thread);
  state_.make_runnable(thread);
  progress_.made();
}

void ThreadLife::adopt(Thread& thread) {
  state_.runnable.adopt(thread);
  thread.record->state = ThreadState::kRunnable;
}

void ThreadLife::count_from_here(Thread& thread) {
  hooks_.read_off(thread);
  thread.clock = {};
  thread.record->clock = {};
  thread.clock_reads.in_a_row = 0;
  state_.slot->operations = 0;
  state_.slot->steps = 0;
}

bool ThreadLife::end(Thread& self) {
  const Op op{.kind = Operation::kExit, .number = self.ordinal};
  turns_.reach(self, op, Leave::kMayStay);
  turns_.did(self, op, wire::EventResult::kDone, 0);
  if (state_.threads.alive() == 1) return false;

  state_.threads.end(self);
  self.pending = Op{};
  self.record->state = ThreadState::kEnded;
  self.record->clock = self.clock;
  state_.runnable.set_running(self, false);
  objects_.changed_at(&self);  // wakes its joiners
  turns_.leave(self);
  return true;
}

}  // namespace unravel
