#include "predict/happens_before.hpp"

#include <algorithm>
#include <utility>

namespace unravel {
namespace {

using wire::Effect;
using wire::EventResult;
using wire::MemoryOrder;
using wire::ObjectKind;

bool acquires(MemoryOrder order) {
  return order == MemoryOrder::kConsume || order == MemoryOrder::kAcquire ||
         order == MemoryOrder::kAcquireRelease || order == MemoryOrder::kSequential;
}

bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease ||
         order == MemoryOrder::kSequential;
}

}  // namespace

template <class Object>
Object& HappensBefore::at(AddressTable<Object>& table, std::uint64_t object) {
  if (Object* const known = table.find(object)) return *known;
  objects_.insert(object);
  return table[object];
}

void HappensBefore::release_into(VectorClock& clock, TracedThread& thread) {
  clock.join(thread.clock);
  threads_.advance(thread);
}

void HappensBefore::acquire_from(const VectorClock* clock, TracedThread& thread) {
  if (clock) thread.clock.join(*clock);
}

void HappensBefore::observe(TracedThread& thread, std::uint64_t object) {
  acquire_from(published_.find(object), thread);
  acquire_from(locations_.find(object), thread);
}

void HappensBefore::take(TracedThread& thread, const TraceEvent& event) {
  const bool done = event.result == EventResult::kDone;
  switch (wire::traits(event.operation).effect) {
    case Effect::kAcquire:
      if (done) take_lock(thread, event, LockMode::kWrite);
      break;
    case Effect::kAcquireShared:
      if (done) take_lock(thread, event, LockMode::kRead);
      break;
    case Effect::kRelease:
      if (done) take_unlock(thread, event.object);
      break;
    case Effect::kReleaseToWait: take_give_up(thread, event.object); break;

    case Effect::kCreate:
      if (done) threads_.create(thread, static_cast<std::uint32_t>(event.object));
      break;
    case Effect::kEnd:
      // The next owner of a robust mutex comes after the end of the thread that died with it.
      thread.held.for_each(
          [&](std::uint64_t lock, LockMode mode) { release_lock(thread, lock, mode); });
      threads_.end(thread);
      break;
    case Effect::kJoin:
      if (done) threads_.join(thread, static_cast<std::uint32_t>(event.object));
      break;

    case Effect::kMeet:
    case Effect::kWait: take_wait(thread, event); break;
    case Effect::kWoke: take_woke(thread, event); break;
    case Effect::kArrive: release_into(at(barriers_, event.object).arrived, thread); break;

    case Effect::kPost:
      if (done) take_post(thread, event);
      break;
    case Effect::kTakeUnit:
      if (done) take_unit(thread, event);
      break;

    case Effect::kOnce:
      if (!done) break;
      if (event.value == 1) {
        release_into(at(published_, event.object), thread);
      } else {
        observe(thread, event.object);
      }
      break;
    case Effect::kPublish: release_into(at(published_, event.object), thread); break;
    case Effect::kObserve: observe(thread, event.object); break;
    case Effect::kFence: take_fence(thread, event.order); break;
    case Effect::kReuse: forget(event.object); break;

    case Effect::kSend:
      if (done) release_into(written_, thread);
      break;
    case Effect::kReceive:
      if (done) acquire_from(&written_, thread);
      break;
    case Effect::kSendSignal:
      if (done) release_into(signals_[event.object], thread);
      break;
    case Effect::kTakeSignal:
      if (done) acquire_from(signals_.find(event.object), thread);
      break;
    case Effect::kHandleSignal: acquire_from(signals_.find(event.object), thread); break;

    // A signal or a broadcast orders only the threads that it woke: kWoke. A futex's wake orders no
    // thread, because the program's atomics do.
    case Effect::kWake:
    case Effect::kRequeue: break;
    // Accesses have functions of their own: acquire_by_access and release_by_access.
    case Effect::kRead:
    case Effect::kWrite:
    case Effect::kUpdate:
    case Effect::kAllocate:
    case Effect::kFree:
    case Effect::kFresh: break;
    case Effect::kNone:
    case Effect::kStart:
    case Effect::kDetach:
    case Effect::kAwaitSignal:
    case Effect::kPassCode:
    case Effect::kPassTime:
    case Effect::kBeginUnit:
    case Effect::kEndUnit:
    case Effect::kEnterFrame:
    case Effect::kLeaveFrame: break;
  }
}

void HappensBefore::take_lock(TracedThread& thread, const TraceEvent& event, LockMode mode) {
  if (!thread.held.acquired(event.object, mode)) return;
  const Lock& lock = at(locks_, event.object);
  thread.clock.join(lock.written);
  if (mode == LockMode::kWrite) thread.clock.join(lock.read);
}

void HappensBefore::take_unlock(TracedThread& thread, std::uint64_t object) {
  if (const auto mode = thread.held.released(object)) release_lock(thread, object, *mode);
}

void HappensBefore::release_lock(TracedThread& thread, std::uint64_t object, LockMode mode) {
  Lock& lock = at(locks_, object);
  release_into(mode == LockMode::kRead ? lock.read : lock.written, thread);
}

void HappensBefore::take_give_up(TracedThread& thread, std::uint64_t object) {
  thread.held.gave_up(object);
  release_lock(thread, object, LockMode::kWrite);
}

void HappensBefore::take_wait(TracedThread& thread, const TraceEvent& event) {
  thread.waits_in = event.operation;
  thread.waits_for = event.object;
  if (!wire::has_effect(event.operation, Effect::kMeet)) return;
  Barrier* const barrier = barriers_.find(event.object);
  if (barrier && barrier->completer == thread.ordinal) barrier->completing = false;
}

// The woken thread does nothing between the begin of its wait and this event, so its clock can be
// joined at once.
void HappensBefore::take_woke(TracedThread& waker, const TraceEvent& event) {
  TracedThread& woken = threads_.get(static_cast<std::uint32_t>(event.value));
  if (woken.waits_for != event.object) return;
  if (wire::traits(woken.waits_in).object == ObjectKind::kCondition) {
    release_into(woken.clock, waker);
  } else if (wire::has_effect(woken.waits_in, Effect::kMeet)) {
    Barrier& barrier = at(barriers_, event.object);
    if (!barrier.completing || barrier.completer != waker.ordinal) {
      // The first thread that it wakes: all threads of this round have arrived, and the next round
      // has not begun.
      barrier.completing = true;
      barrier.completer = waker.ordinal;
      barrier.left = std::exchange(barrier.arrived, {});
      waker.clock.join(barrier.left);
    }
    woken.clock.join(barrier.left);
  }
}

// The operation's value is the number of units before it. If there are more units than posts were
// seen, the others were there from the beginning. If there are fewer, an unseen thread took the
// oldest.
std::uint64_t HappensBefore::correct(Semaphore& semaphore, std::uint64_t before) {
  while (semaphore.posted.size() > before) semaphore.posted.pop_front();
  return before - semaphore.posted.size();
}

void HappensBefore::take_post(TracedThread& thread, const TraceEvent& event) {
  Semaphore& semaphore = at(semaphores_, event.object);
  correct(semaphore, event.value == 0 ? 0 : event.value - 1);
  release_into(semaphore.posted.emplace_back(), thread);
}

void HappensBefore::take_unit(TracedThread& thread, const TraceEvent& event) {
  Semaphore& semaphore = at(semaphores_, event.object);
  const std::uint64_t initial = correct(semaphore, event.value + 1);
  if (initial > 0) return;
  acquire_from(&semaphore.posted.front(), thread);
  semaphore.posted.pop_front();
}

void HappensBefore::take_fence(TracedThread& thread, MemoryOrder order) {
  if (acquires(order)) {
    thread.clock.join(thread.fence_acquires);
    thread.fence_acquires.clear();
  }
  if (releases(order)) {
    thread.fence_released = thread.clock;
    threads_.advance(thread);
  }
}

void HappensBefore::acquire_by_access(TracedThread& thread, const TraceEvent& event) {
  if (wire::has_effect(event.operation, Effect::kWrite)) return;
  if (acquires(event.order)) {
    observe(thread, event.object);
    return;
  }
  for (const VectorClock* const given :
       {locations_.find(event.object), published_.find(event.object)}) {
    if (given) thread.fence_acquires.join(*given);
  }
}

void HappensBefore::release_by_access(TracedThread& thread, const TraceEvent& event) {
  const bool update = wire::has_effect(event.operation, Effect::kUpdate);
  if (!wire::has_effect(event.operation, Effect::kWrite) &&
      !(update && event.result == EventResult::kDone)) {
    return;
  }
  const bool release = releases(event.order);
  const VectorClock& given = release ? thread.clock : thread.fence_released;
  VectorClock* location = locations_.find(event.object);
  if (!location) {
    if (given.empty()) return;
    location = &at(locations_, event.object);
  }
  if (update) {
    location->join(given);  // the release sequence continues
  } else {
    *location = given;
  }
  if (release) threads_.advance(thread);
}

void HappensBefore::forget(std::uint64_t object) {
  if (objects_.erase(object) == 0) return;
  if (locks_.find(object)) {
    threads_.for_each([&](TracedThread& thread) { thread.held.forget(object); });
    locks_.erase(object);
  }
  semaphores_.erase(object);
  barriers_.erase(object);
  locations_.erase(object);
  published_.erase(object);
}

void HappensBefore::forget(std::uint64_t address, std::uint64_t size) {
  for (auto next = objects_.lower_bound(address);
       next != objects_.end() && *next - address < size;) {
    forget(*next++);
  }
}

}  // namespace unravel
