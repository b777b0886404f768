/// Steps that wait for the outside, and signals: the beats of the interposers for descriptors,
/// poll, children and signals.
#include <bit>

#include "sim/sim_machine.hpp"

namespace unravel::sim {

using wire::EventResult;
using wire::Operation;

namespace {

// Answers as system calls give them: a message, or one of these.
constexpr std::int64_t kNothing = 0;  // the deadline came
constexpr std::int64_t kAgain = -1;
constexpr std::int64_t kInterrupted = -2;

// Whoever handles one of these does not restart what it interrupted.
constexpr int kFirstInterrupting = 10;

std::uint64_t bit(int signal) { return std::uint64_t{1} << (signal - 1); }

bool is_ready(const Outside& outside) {
  for (std::uint32_t i = 0; i < outside.count; ++i) {
    if (outside.world->has(outside.channels[i])) return true;
  }
  return false;
}

bool can_proceed(const Op&, const Thread& thread) { return is_ready(*thread.wish); }

int result_of(std::int64_t answer) {
  switch (answer) {
    case kNothing: return SimMachine::kTimedOut;
    case kAgain: return SimMachine::kBusy;
    case kInterrupted: return SimMachine::kBySignal;
    default: return 0;
  }
}

EventResult event_of(std::int64_t answer) {
  return answer > 0           ? EventResult::kDone
         : answer == kNothing ? EventResult::kTimedOut
                              : EventResult::kFailed;
}

}  // namespace

// --- Host --------------------------------------------------------------------------------------

bool SimMachine::has_outside() {
  if (code_.has_child) return true;
  for (const auto& live : threads_) {
    if (!live->ended && live->thread->outside) return true;
  }
  return false;
}

bool SimMachine::may_come(std::uint64_t deadline) const {
  bool signals = false;
  bool stuck_inside = false;
  for (const auto& live : threads_) {
    if (live->ended) continue;
    const Thread& thread = *live->thread;
    if (!thread.outside) {
      stuck_inside = stuck_inside || thread.pending.kind != Operation::kJoin;
    } else if (thread.outside->count) {
      return true;
    } else {
      signals = true;
    }
  }
  if (code_.has_child && (signals || code_.handler) && world_.signal_will_come(0)) return true;
  return signals && !stuck_inside && deadline == kNever;
}

bool SimMachine::wait_outside(std::uint64_t deadline) {
  if (!may_come(deadline)) return false;
  std::uint64_t length = kNever;
  if (deadline != kNever) {
    const std::uint64_t now = scheduler_.time().now();
    const std::uint64_t patience = deadline > now ? deadline - now : 0;
    if (waited_ >= patience) {
      waited_ -= patience;
      return false;
    }
    length = patience - waited_;
  } else if (world_.is_over()) {
    return false;  // a real program would stand still for ever
  }
  waited_ += world_.wait(length);
  return true;
}

// The signal of a child is waited for: it ends again. Nobody has to send another one again.
void SimMachine::deliver_signal(int signal) {
  while (!world_.take_signal(signal)) {
    if (!code_.has_child || !world_.signal_will_come(signal)) break;
    world_.wait(kNever);
  }
  for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
    Thread* thread = scheduler_.threads().by_slot()[slot];
    if (!thread->in_use || thread->ended || (thread->signals.mask & bit(signal))) continue;
    scheduler_.waiting().send_signal(*thread, signal);
    return scheduler_.objects().changed_at(&process_signals_);
  }
  process_signals_ |= bit(signal);
  scheduler_.objects().changed_at(&process_signals_);
}

void SimMachine::handle_signals(Thread& thread) {
  Live& self = live_of(thread);
  if (self.stand == Stand::kQueued) std::erase(self.stands_at->queue, thread.ordinal);
  // What the thread waits for is forgotten while its handler waits for something itself.
  const Live before = self;
  const Outside* wish = thread.wish;
  const Outside* outside = thread.outside;
  const bool retry = thread.retry;
  const std::uint64_t mask = thread.signals.mask;
  bool interrupted = thread.signals.interrupted;
  stand_free(self);
  while (const std::uint64_t due = thread.signals.pending & ~mask) {
    thread.wish = thread.outside = nullptr;
    const int signal = std::countr_zero(due) + 1;
    thread.signals.pending &= ~bit(signal);
    thread.signals.mask |= bit(signal);
    run_handler(self, signal);
    thread.signals.mask = mask;
    const Outside* waits = wish ? wish : outside;
    interrupted = interrupted || signal >= kFirstInterrupting || (waits && waits->never_restarts);
  }
  thread.wish = wish;
  thread.outside = outside;
  thread.retry = retry;
  thread.signals.interrupted = interrupted;
  const bool gone = self.gone;  // others may have detached it
  self = before;
  self.gone = gone;
  if (self.stand == Stand::kQueued) stand_free(self);
}

void SimMachine::run_handler(Live& self, int signal) {
  if (!code_.handler) return;
  self.code = &code_.threads[*code_.handler];
  self.own[kOwnSignal] = signal;
  self.next_step = 0;
  while (self.next_step < self.code->steps.size()) {
    compare(self.thread);
    take_step(self, self.code->steps[self.next_step++]);
  }
}

// --- Messages ----------------------------------------------------------------------------------

/// Everything that is there, `most` messages of it at the most.
std::int64_t SimMachine::take_messages(std::uint32_t channel, std::int64_t most) {
  if (!world_.has(channel)) return kAgain;
  std::int64_t taken = 0;
  for (; taken < most && world_.has(channel); ++taken) {
    const std::int64_t message = world_.take(channel);
    objects_[channel].value += message;
    seen_.received.emplace_back(code_.objects[channel], message);
  }
  return taken;
}

/// Blocks until what came when the run was recorded that this one repeats is there.
void SimMachine::await_again(Live& self, const Op& op, const Outside& outside, Op::Can can) {
  Thread& thread = *self.thread;
  self.stand = Stand::kUnknown;
  thread.pending = op;
  thread.pending.can = can;
  // It came before the deadline then, however late it is now.
  thread.pending.deadline = kNever;
  thread.timed_out = false;
  thread.retry = false;
  thread.wish = thread.outside = &outside;
  scheduler_.block(thread);
}

/// What is recorded of a single message is its value, of several how many they were.
void SimMachine::receive(Live& self, const Code& code) {
  Thread& thread = *self.thread;
  const bool blocking = code.verb != Verb::kTryReceive;
  const bool several = code.verb == Verb::kReceiveSome;
  std::int64_t most = several ? value_of(&self, code.value) : 1;
  const Outside outside{.world = &world_, .channels = &code.object, .count = 1};
  Op op = op_of(self, Operation::kRead, scheduler_.outside().object(), code.time);
  op.can = blocking ? can_proceed : nullptr;
  op.number = code.object;
  op.interruptible = true;
  thread.wish = &outside;
  thread.outside = blocking ? &outside : nullptr;
  stand(self, blocking ? Stand::kOutside : Stand::kFree, nullptr, op.deadline);
  if (blocking) {
    scheduler_.reach(thread, op);
  } else {
    scheduler_.reach_attempt(thread, op);
  }

  objects_[code.object].value = 0;
  const wire::Choice* recorded = scheduler_.outside().recorded_answer(thread);
  const std::int64_t wanted = recorded ? static_cast<std::int64_t>(recorded->value) : 0;
  std::int64_t count = 0;
  if (recorded) {
    count = wanted;
    if (wanted > 0) {
      most = several ? wanted : 1;  // in whatever portions it comes now
      for (count = 0; count < most;) {
        const std::int64_t taken = take_messages(code.object, most - count);
        if (taken > 0) count += taken;
        if (taken == kAgain) await_again(self, op, outside, can_proceed);
      }
    }
  } else {
    for (;;) {
      count = thread.signals.interrupted && !can_proceed(op, thread)
                  ? kInterrupted
                  : take_messages(code.object, most);
      if (count == kAgain && thread.timed_out) count = kNothing;
      if (count != kAgain || !blocking) break;
      scheduler_.block(thread);
    }
  }
  thread.wish = thread.outside = nullptr;
  stand_free(self);
  const std::int64_t answer = count > 0 && !several ? objects_[code.object].value : count;
  scheduler_.outside().answered(thread, recorded, static_cast<std::uint64_t>(answer));
  if (answer == kAgain) {
    scheduler_.failed_attempt(thread, op);
  } else {
    scheduler_.outside().changed();
  }
  self.own[0] = result_of(answer);
  scheduler_.did(thread, op, event_of(answer), static_cast<std::uint64_t>(answer));
}

/// Which of two channels have something: one bit each.
void SimMachine::poll(Live& self, const Code& code) {
  Thread& thread = *self.thread;
  const std::uint32_t channels[] = {code.object, code.mutex};
  const Outside outside{.world = &world_, .channels = channels, .count = 2, .never_restarts = true};
  const auto look = [&] {
    return std::int64_t{world_.has(channels[0])} | std::int64_t{world_.has(channels[1])} << 1;
  };
  Op op = op_of(self, Operation::kPoll, scheduler_.outside().object(), code.time);
  op.can = can_proceed;
  op.number = code.object;
  op.interruptible = true;
  thread.wish = thread.outside = &outside;
  stand(self, Stand::kOutside, nullptr, op.deadline);
  scheduler_.reach(thread, op);

  const wire::Choice* recorded = scheduler_.outside().recorded_answer(thread);
  std::int64_t answer = kInterrupted;
  if (recorded) {
    answer = static_cast<std::int64_t>(recorded->value);
    while (answer > 0 && (answer & ~look())) {
      await_again(self, op, outside,
                  [](const Op&, const Thread& waiting) { return waiting.retry; });
    }
  } else if (!thread.signals.interrupted || is_ready(outside)) {
    answer = look();
  }
  thread.wish = thread.outside = nullptr;
  stand_free(self);
  scheduler_.outside().answered(thread, recorded, static_cast<std::uint64_t>(answer));
  self.own[0] = answer;
  scheduler_.did(thread, op, event_of(answer), static_cast<std::uint64_t>(answer));
}

// --- Signals -----------------------------------------------------------------------------------

void SimMachine::set_mask(Live& self, std::uint64_t mask) {
  Thread& thread = *self.thread;
  thread.signals.mask = mask;
  thread.signals.pending |= process_signals_ & ~mask;
  process_signals_ &= mask;
  if (thread.signals.has_deliverable()) handle_signals(thread);
}

void SimMachine::signal_wait(Live& self, const Code& code) {
  Thread& thread = *self.thread;
  const Outside outside{.never_restarts = true};
  Op op = op_of(self, Operation::kSignalWait, &process_signals_, code.time);
  op.can = [](const Op& reached, const Thread& waiting) {
    return (waiting.signals.pending | *static_cast<const std::uint64_t*>(reached.object)) != 0;
  };
  op.interruptible = true;
  thread.outside = &outside;
  stand(self, Stand::kSignal, nullptr, op.deadline);
  scheduler_.reach(thread, op);
  thread.outside = nullptr;
  stand_free(self);
  const std::uint64_t found = thread.signals.pending | process_signals_;
  const int signal = found ? std::countr_zero(found) + 1 : 0;
  if (signal)
    ((thread.signals.pending & bit(signal)) ? thread.signals.pending : process_signals_) &=
        ~bit(signal);
  const std::int64_t answer = signal ? signal : thread.timed_out ? kNothing : kInterrupted;
  self.own[0] = answer;
  scheduler_.did(thread, op, event_of(answer), static_cast<std::uint64_t>(answer));
}

void SimMachine::pause(Live& self) {
  Thread& thread = *self.thread;
  const Outside outside{};
  Op op = op_of(self, Operation::kPause, &process_signals_);
  op.can = [](const Op&, const Thread&) { return false; };
  thread.outside = &outside;
  stand(self, Stand::kHandler, nullptr, kNever);
  scheduler_.waiting().pause(thread, op);
  thread.outside = nullptr;
  stand_free(self);
  scheduler_.did(thread, op, EventResult::kFailed);
}

}  // namespace unravel::sim
