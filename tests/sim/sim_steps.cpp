/// What each step does: the same beats as the interposers', on simulated primitives.
#include "sim/sim_machine.hpp"

namespace unravel::sim {

using wire::EventResult;
using wire::Operation;

namespace {

const SimObject& object_of(const Op& op) { return *static_cast<const SimObject*>(op.object); }

bool can_lock(const Op& op, const Thread&) { return !object_of(op).owner; }
bool can_write(const Op& op, const Thread&) {
  return !object_of(op).owner && !object_of(op).readers;
}
bool can_take(const Op& op, const Thread&) { return object_of(op).value > 0; }
bool has_ended(const Op& op, const Thread&) { return static_cast<const Thread*>(op.object)->ended; }

Operation operation_of(Verb verb) {
  switch (verb) {
    case Verb::kTryLock: return Operation::kTryLock;
    case Verb::kUnlock: return Operation::kUnlock;
    case Verb::kReadLock: return Operation::kReadLock;
    case Verb::kWriteLock: return Operation::kWriteLock;
    case Verb::kTryReadLock: return Operation::kTryReadLock;
    case Verb::kTryWriteLock: return Operation::kTryWriteLock;
    case Verb::kReadWriteUnlock: return Operation::kReadWriteUnlock;
    case Verb::kSignal: return Operation::kSignal;
    case Verb::kBroadcast: return Operation::kBroadcast;
    case Verb::kFutexWake: return Operation::kFutexWake;
    case Verb::kDetach: return Operation::kDetach;
    case Verb::kPost: return Operation::kSemPost;
    default: return Operation::kLock;  // also of what follows a wait
  }
}

EventResult result_of(int error) { return error ? EventResult::kFailed : EventResult::kDone; }

}  // namespace

Op SimMachine::op_of(const Live& self, Operation kind, const void* object, std::uint64_t time) {
  const std::uint64_t site =
      site_address(static_cast<std::uint64_t>(self.code - code_.threads.data()), self.next_step);
  return {.kind = kind,
          .object = object,
          .site = reinterpret_cast<const void*>(site),
          .deadline = time == kNever ? kNever : scheduler_.time().now() + time};
}

void SimMachine::stand(Live& self, Stand stand, SimObject* at, std::uint64_t deadline) {
  self.stand = stand;
  self.stands_at = at;
  // One that is over already is not waited for.
  self.due = deadline <= scheduler_.time().now() ? 0 : scheduler_.time().due(deadline);
}

void SimMachine::stand_free(Live& self) {
  self.stand = Stand::kFree;
  self.due = kNever;
}

void SimMachine::take_step(Live& self, const Code& code) {
  switch (code.verb) {
    case Verb::kLock:
    case Verb::kReadLock:
    case Verb::kWriteLock: return lock(self, code, code.object, code.time);
    case Verb::kTryLock:
    case Verb::kTryReadLock:
    case Verb::kTryWriteLock: return try_lock(self, code);
    case Verb::kUnlock:
    case Verb::kReadWriteUnlock: return unlock(self, code);
    case Verb::kWait: return wait(self, code);
    case Verb::kSignal: return wake(self, code, 1);
    case Verb::kBroadcast: return wake(self, code, ~0u);
    case Verb::kFutexWake:
      return wake(self, code, static_cast<std::uint32_t>(value_of(&self, code.value)));
    case Verb::kSemWait: return sem_wait(self, code);
    case Verb::kSemTryWait: return sem_try_wait(self, code);
    case Verb::kBarrier: return barrier(self, code);
    case Verb::kFutexWait: return futex_wait(self, code);
    case Verb::kCreate: return create(self, code);
    case Verb::kJoin: return join(self, code);
    case Verb::kTryJoin: return try_join(self, code);
    case Verb::kSleep: return sleep(self, code);
    case Verb::kReceive:
    case Verb::kTryReceive:
    case Verb::kReceiveSome: return receive(self, code);
    case Verb::kPoll: return poll(self, code);
    case Verb::kSignalWait: return signal_wait(self, code);
    case Verb::kPause: return pause(self);
    case Verb::kBlock: return set_mask(self, ~std::uint64_t{0});
    case Verb::kUnblock: return set_mask(self, 0);
    case Verb::kExit: process_ends(self, value_of(&self, code.value));
    default: return simple(self, code);
  }
}

void SimMachine::lock(Live& self, const Code& code, std::uint32_t place, std::uint64_t time) {
  SimObject& object = objects_[place];
  Op op = op_of(self, operation_of(code.verb), &object, time);
  op.can = code.verb == Verb::kWriteLock ? can_write : can_lock;
  stand(self,
        code.verb == Verb::kReadLock    ? Stand::kReadLock
        : code.verb == Verb::kWriteLock ? Stand::kWriteLock
                                        : Stand::kLock,
        &object, op.deadline);
  self.own[0] = scheduler_.acquire(*self.thread, op, kBusy, kTimedOut, [&] {
    if (!op.can(op, *self.thread)) return kBusy;
    if (code.verb == Verb::kReadLock) {
      ++object.readers;
    } else {
      object.owner = self.thread;
    }
    stand_free(self);
    return 0;
  });
  stand_free(self);
}

void SimMachine::try_lock(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  const Op op = op_of(self, operation_of(code.verb), &object);
  scheduler_.reach_attempt(*self.thread, op);
  const bool reads = code.verb == Verb::kTryReadLock;
  const bool can = reads ? can_lock(op, *self.thread) : can_write(op, *self.thread);
  if (can) {
    if (reads) {
      ++object.readers;
    } else {
      object.owner = self.thread;
    }
    scheduler_.objects().acquired(*self.thread, op);
  } else {
    scheduler_.failed_attempt(*self.thread, op);
  }
  self.own[0] = can ? 0 : kBusy;
  scheduler_.did(*self.thread, op, result_of(can ? 0 : kBusy));
}

void SimMachine::release(Live& self, SimObject& object) {
  if (object.readers) {
    --object.readers;
  } else {
    object.owner = nullptr;
  }
  scheduler_.objects().released(*self.thread, &object);
}

void SimMachine::unlock(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  const Op op = op_of(self, operation_of(code.verb), &object);
  scheduler_.reach(*self.thread, op);
  release(self, object);
  scheduler_.did(*self.thread, op);
}

// --- Queues ------------------------------------------------------------------------------------

Waiting::Woken SimMachine::queue_on(Live& self, SimObject& object, const Op& op, bool again) {
  object.queue.push_back(self.thread->ordinal);
  stand(self, Stand::kQueued, &object, op.deadline);
  Object& notes = scheduler_.objects().at(&object);
  const Waiting::Woken woken = again ? scheduler_.waiting().wait_again(*self.thread, notes, op)
                                     : scheduler_.waiting().wait(*self.thread, notes, op);
  std::erase(object.queue, self.thread->ordinal);  // still there if its deadline came
  stand_free(self);
  return woken;
}

// The model learns from the choices who was woken where there was one to make.
std::uint32_t SimMachine::wake_from(Live& self, SimObject& object, std::uint32_t most) {
  const std::size_t choices_before = seen_.schedule.choices.size();
  std::erase_if(object.queue, [&](std::uint32_t ordinal) {
    return threads_[ordinal]->due <= scheduler_.time().now();
  });
  Object* notes = scheduler_.objects().find(&object);
  const std::uint32_t woken = notes ? scheduler_.waiting().wake(*self.thread, *notes, most) : 0;
  if (object.queue.size() <= most) {
    for (const std::uint32_t ordinal : object.queue) stand_free(*threads_[ordinal]);
    object.queue.clear();
    return woken;
  }
  for (std::size_t i = choices_before; i < seen_.schedule.choices.size(); ++i) {
    const auto ordinal = static_cast<std::uint32_t>(seen_.schedule.choices[i].value);
    stand_free(*threads_[ordinal]);
    std::erase(object.queue, ordinal);
  }
  return woken;
}

void SimMachine::wait(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  Op op = op_of(self, Operation::kWait, &object, code.time);
  op.also = reinterpret_cast<std::uint64_t>(&objects_[code.mutex]);
  scheduler_.reach(*self.thread, op);
  release(self, objects_[code.mutex]);
  // After a signal handler it is a spurious wake-up.
  const Waiting::Woken woken = queue_on(self, object, op);
  lock(self, code, code.mutex, kNever);
  self.own[0] = woken == Waiting::Woken::kByDeadline ? kTimedOut : 0;
}

void SimMachine::wake(Live& self, const Code& code, std::uint32_t most) {
  const Op op = op_of(self, operation_of(code.verb), &objects_[code.object]);
  scheduler_.reach(*self.thread, op);
  const std::uint32_t woken = wake_from(self, objects_[code.object], most);
  scheduler_.did(*self.thread, op, EventResult::kDone, woken);
}

void SimMachine::barrier(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  const Op op = op_of(self, Operation::kBarrierWait, &object);
  scheduler_.reach(*self.thread, op);
  Object& notes = scheduler_.objects().at(&object);
  if (++notes.arrived < static_cast<std::uint64_t>(value_of(&self, code.value))) {
    const std::uint64_t round = notes.rounds;
    Waiting::Woken woken = queue_on(self, object, op);
    while (woken == Waiting::Woken::kBySignal) {
      if (scheduler_.objects().at(&object).rounds != round) break;  // it opened meanwhile
      woken = queue_on(self, object, op, true);
    }
    return;
  }
  notes.arrived = 0;
  ++notes.rounds;
  const std::uint32_t woken = wake_from(self, object, ~0u);
  scheduler_.did(*self.thread, op, EventResult::kDone, woken);
}

void SimMachine::futex_wait(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  const Op op = op_of(self, Operation::kFutexWait, &object, code.time);
  scheduler_.reach_attempt(*self.thread, op);
  if (object.value != value_of(&self, code.value)) {
    scheduler_.failed_attempt(*self.thread, op);
    self.own[0] = kBusy;
    return scheduler_.did(*self.thread, op, EventResult::kFailed, kBusy);
  }
  switch (queue_on(self, object, op)) {
    case Waiting::Woken::kByWake: self.own[0] = 0; break;
    case Waiting::Woken::kByDeadline: self.own[0] = kTimedOut; break;
    case Waiting::Woken::kBySignal: self.own[0] = kBySignal; break;
  }
}

// --- Semaphores, sleep -------------------------------------------------------------------------

void SimMachine::sem_wait(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  Op op = op_of(self, Operation::kSemWait, &object, code.time);
  op.can = can_take;
  stand(self, Stand::kSemaphore, &object, op.deadline);
  scheduler_.reach(*self.thread, op);
  while (!self.thread->timed_out && object.value <= 0) scheduler_.block(*self.thread);
  stand_free(self);
  const int error = self.thread->timed_out ? kTimedOut : 0;
  if (!error) {
    --object.value;
    scheduler_.objects().changed_at(&object);
  }
  self.own[0] = error;
  scheduler_.did(*self.thread, op, result_of(error));
}

void SimMachine::sem_try_wait(Live& self, const Code& code) {
  SimObject& object = objects_[code.object];
  const Op op = op_of(self, Operation::kSemTryWait, &object);
  scheduler_.reach_attempt(*self.thread, op);
  const bool can = object.value > 0;
  if (can) {
    --object.value;
    scheduler_.objects().changed_at(&object);
  } else {
    scheduler_.failed_attempt(*self.thread, op);
  }
  self.own[0] = can ? 0 : kBusy;
  scheduler_.did(*self.thread, op, result_of(can ? 0 : kBusy));
}

void SimMachine::sleep(Live& self, const Code& code) {
  const Op op = op_of(self, Operation::kSleep, nullptr, code.time);
  stand(self, Stand::kAsleep, nullptr, op.deadline);
  scheduler_.waiting().sleep(*self.thread, op);
  stand_free(self);
}

// --- Threads -----------------------------------------------------------------------------------

void SimMachine::create(Live& self, const Code& code) {
  Op op = op_of(self, Operation::kCreate, nullptr);
  scheduler_.reach(*self.thread, op);
  Live* created = bring_to_life(code.object);
  self.own[0] = created ? 0 : kBusy;
  if (!created) return scheduler_.did(*self.thread, op, EventResult::kFailed, kBusy);
  op.number = created->thread->ordinal;
  scheduler_.life().ready(*created->thread, nullptr);
  scheduler_.did(*self.thread, op);
}

void SimMachine::join(Live& self, const Code& code) {
  Live* target = by_code_[code.object];
  self.own[0] = kBusy;
  if (!target || target->gone) return;
  Op op = op_of(self, Operation::kJoin, target->thread, code.time);
  op.can = has_ended;
  op.number = target->thread->ordinal;
  op.cancellable = true;
  self.joins = target;
  stand(self, Stand::kJoin, nullptr, op.deadline);
  scheduler_.reach(*self.thread, op);
  stand_free(self);
  const int error = self.thread->timed_out ? kTimedOut : 0;
  if (!error) {
    target->gone = true;
    scheduler_.threads().forget(*target->thread);
  }
  self.own[0] = error;
  scheduler_.did(*self.thread, op, result_of(error));
}

void SimMachine::try_join(Live& self, const Code& code) {
  Live* target = by_code_[code.object];
  self.own[0] = kBusy;
  if (!target || target->gone) return;
  Op op = op_of(self, Operation::kTryJoin, target->thread);
  op.number = target->thread->ordinal;
  scheduler_.reach_attempt(*self.thread, op);
  const bool can = target->ended;
  if (can) {
    target->gone = true;
    scheduler_.threads().forget(*target->thread);
  } else {
    scheduler_.failed_attempt(*self.thread, op);
  }
  self.own[0] = can ? 0 : kBusy;
  scheduler_.did(*self.thread, op, result_of(can ? 0 : kBusy));
}

}  // namespace unravel::sim
