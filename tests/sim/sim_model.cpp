/// Who can go on, by the state of the simulated primitives: what the scheduler says is compared
/// with it.
#include "sim/sim_machine.hpp"

namespace unravel::sim {

namespace {

bool can_receive(const Thread& thread) {
  const Outside& outside = *thread.wish;
  for (std::uint32_t i = 0; i < outside.count; ++i) {
    if (outside.world->has(outside.channels[i])) return true;
  }
  return false;
}

}  // namespace

bool SimMachine::can_go_on(const Live& thread) {
  if (thread.due <= scheduler_.time().now()) return true;
  if (thread.thread->signals.has_deliverable()) return true;
  switch (thread.stand) {
    case Stand::kFree: return true;
    case Stand::kLock: return !thread.stands_at->owner;
    case Stand::kReadLock: return !thread.stands_at->owner;
    case Stand::kWriteLock: return !thread.stands_at->owner && !thread.stands_at->readers;
    case Stand::kSemaphore: return thread.stands_at->value > 0;
    case Stand::kJoin: return thread.joins->ended;
    case Stand::kQueued: return false;
    case Stand::kAsleep: return false;
    case Stand::kOutside: return can_receive(*thread.thread);
    case Stand::kSignal: return thread.thread->signals.pending | process_signals_;
    case Stand::kHandler: return false;
    case Stand::kUnknown: return true;
  }
  __builtin_unreachable();
}

bool SimMachine::agrees(const Live& thread) {
  const wire::ThreadState state = thread.thread->record->state;
  if (thread.ended) return state == wire::ThreadState::kEnded;
  if (thread.stand == Stand::kUnknown) return true;
  // Followed strictly, a schedule says who can go on.
  if (thread.stand == Stand::kOutside && strict_) return true;
  // What came is seen a little later, but never what did not.
  if (!can_go_on(thread)) return state == wire::ThreadState::kBlocked;
  return state == wire::ThreadState::kRunnable || thread.stand == Stand::kOutside;
}

void SimMachine::compare(const Thread* except) {
  if (!seen_.disagreement.empty()) return;
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    const Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread == except) continue;
    const Live& live = *threads_[thread->ordinal];
    if (agrees(live)) continue;
    seen_.disagreement = live.code->name + " (T" + std::to_string(thread->ordinal) + ":" +
                         std::to_string(thread->clock.operations) + "+" +
                         std::to_string(thread->clock.hooks) + ") " +
                         (can_go_on(live) ? "can" : "cannot") + " go on, its state is " +
                         std::to_string(static_cast<int>(thread->record->state));
    return;
  }
}

}  // namespace unravel::sim
