/// What synchronisation means to a history: sections, and what orders threads.
#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "predict/history_builder.hpp"

namespace unravel {

namespace {

using wire::Effect;
using wire::EventResult;
using wire::Operation;

// Keys of orders that are not about one address.
constexpr std::uint64_t kCreations = 1;
constexpr std::uint64_t kTheOutside = 2;

/// Whether only its own thread can notice the operation.
bool is_of_no_concern(Operation operation) {
  switch (wire::traits(operation).effect) {
    case Effect::kPassCode:
    case Effect::kPassTime:
    case Effect::kFence:
    case Effect::kReuse:
    case Effect::kAwaitSignal:
    case Effect::kDetach: return true;
    case Effect::kNone: return wire::traits(operation).influence != wire::Influence::kChanges;
    default: return false;
  }
}

}  // namespace

EventIndex HistoryBuilder::add_other(const TraceEvent& event, Thread& thread) {
  const bool is_number = wire::acts_on_number(event.operation);
  return add(event, thread, Role::kOther, object_of(event.object, is_number));
}

/// Operations on one thing came in this order.
void HistoryBuilder::in_order(std::uint64_t key, EventIndex event) {
  EventIndex& last = last_of_object_[key];  // the index + 1
  if (last != 0 && history_.events[last - 1].thread != history_.events[event].thread) {
    history_.usual.push_back({last - 1, event});
  }
  last = event + 1;
}

void HistoryBuilder::take_sync(const TraceEvent& event, Thread& thread) {
  if (is_of_no_concern(event.operation)) return;
  const wire::OperationTraits& traits = wire::traits(event.operation);
  const bool done = event.result == EventResult::kDone;
  const bool is_outside = wire::traits(traits.object).space == wire::Space::kOutside;
  switch (traits.effect) {
    case Effect::kAcquire: take_acquire(event, thread, LockMode::kWrite); return;
    case Effect::kAcquireShared: take_acquire(event, thread, LockMode::kRead); return;
    case Effect::kRelease:
      if (done) take_release(event, thread, false);
      return;
    case Effect::kReleaseToWait: take_release(event, thread, true); return;

    case Effect::kCreate: {
      if (!done) return;
      const EventIndex index = add_other(event, thread);
      update_region(thread, index, true);
      in_order(kCreations, index);
      if (event.object < kMostThreads) {
        this->thread(static_cast<std::uint32_t>(event.object)).incoming.push_back(index);
      }
      return;
    }
    case Effect::kStart: add_other(event, thread); return;
    case Effect::kEnd:
      add_other(event, thread);
      if (thread.marks > 0) history_.stray_begins.push_back({thread.ordinal, thread.marked_at});
      return;
    case Effect::kJoin: {
      if (!done || event.object >= kMostThreads) return;
      const EventIndex last = this->thread(static_cast<std::uint32_t>(event.object)).last;
      if (last != kNoEvent) thread.incoming.push_back(last);
      update_region(thread, add_other(event, thread), true);
      return;
    }

    case Effect::kMeet:
    case Effect::kWait: {
      const EventIndex index = add_other(event, thread);
      thread.waits_in = event.operation;
      thread.waits_for = event.object;
      update_region(thread, index, true);
      in_order(event.object, index);
      const auto barrier = barriers_.find(event.object);
      if (barrier != barriers_.end() && barrier->second.completer == thread.ordinal) {
        barrier->second.completing = false;
      }
      return;
    }
    case Effect::kWoke: take_woke(event, thread); return;
    case Effect::kArrive:
      barriers_[event.object].arrived.push_back(add_other(event, thread));
      return;
    case Effect::kWake:
    case Effect::kRequeue: {
      const EventIndex index = add_other(event, thread);
      update_region(thread, index, true);
      in_order(event.object, index);
      return;
    }

    case Effect::kPost: take_post(event, thread); return;
    case Effect::kTakeUnit: take_unit(event, thread); return;

    case Effect::kOnce:
    case Effect::kPublish:
    case Effect::kObserve: {
      if (!done) return;
      const bool publishes =
          traits.effect == Effect::kPublish || (traits.effect == Effect::kOnce && event.value == 1);
      if (!publishes) {
        const auto published = published_.find(event.object);
        if (published != published_.end()) thread.incoming.push_back(published->second);
      }
      const EventIndex index = add_other(event, thread);
      if (publishes) published_[event.object] = index;
      in_order(event.object, index);
      return;
    }

    case Effect::kSend:
    case Effect::kSendSignal: {
      const EventIndex index = add_other(event, thread);
      const std::uint64_t kind = traits.effect == Effect::kSend ? ~std::uint64_t{0} : event.object;
      if (done) sent_[kind][thread.ordinal] = index;
      in_order(kTheOutside, index);
      return;
    }
    case Effect::kReceive:
    case Effect::kTakeSignal:
    case Effect::kHandleSignal: {
      const std::uint64_t kind =
          traits.effect == Effect::kReceive ? ~std::uint64_t{0} : event.object;
      const auto sent = sent_.find(kind);
      if (done && sent != sent_.end()) {
        for (const auto& [sender, index] : sent->second) thread.incoming.push_back(index);
      }
      in_order(kTheOutside, add_other(event, thread));
      return;
    }
    default: {
      const EventIndex index = add_other(event, thread);
      if (event.object != 0) in_order(is_outside ? kTheOutside : event.object, index);
    }
  }
}

void HistoryBuilder::take_acquire(const TraceEvent& event, Thread& thread, LockMode mode) {
  const std::uint32_t lock = object_of(event.object, wire::acts_on_number(event.operation));
  if (event.result != EventResult::kDone) {
    // Another thread holds it: after the acquire of that one, and before its release.
    const EventIndex index = add(event, thread, Role::kOther, lock);
    const EventIndex* const last = last_of_object_.find(event.object);
    if (last && *last != 0 && history_.events[*last - 1].thread != thread.ordinal) {
      history_.usual.push_back({*last - 1, index});
    }
    refused_[lock].push_back(index);
    return;
  }
  if (!thread.held.acquired(event.object, mode)) return;
  const EventIndex index =
      add(event, thread, mode == LockMode::kWrite ? Role::kAcquire : Role::kAcquireShared, lock);
  history_.events[index].source = static_cast<EventIndex>(history_.sections.size());
  thread.open.push_back(static_cast<std::uint32_t>(history_.sections.size()));
  history_.sections.push_back({.acquire = index,
                               .lock = lock,
                               .thread = static_cast<std::uint16_t>(thread.ordinal),
                               .mode = mode});
  thread.lockset = history_.locksets.with(thread.lockset, lock, mode);
  last_of_object_[event.object] = index + 1;
  update_region(thread, index, false);
}

void HistoryBuilder::take_release(const TraceEvent& event, Thread& thread, bool gives_up) {
  if (gives_up) {
    thread.held.gave_up(event.object);
  } else if (!thread.held.released(event.object)) {
    return;
  }
  const std::uint32_t lock = object_of(event.object, wire::acts_on_number(event.operation));
  thread.lockset = history_.locksets.without(thread.lockset, lock);
  const EventIndex index = add(event, thread, Role::kRelease, lock);
  for (const EventIndex attempt : std::exchange(refused_[lock], {})) {
    if (history_.events[attempt].thread != thread.ordinal) {
      history_.usual.push_back({attempt, index});
    }
  }
  end_section(thread, lock, index);
  update_region(thread, index, false);
}

void HistoryBuilder::end_section(Thread& thread, std::uint32_t lock, EventIndex release) {
  const auto is_it = [&](std::uint32_t one) { return history_.sections[one].lock == lock; };
  auto found = std::find_if(thread.open.rbegin(), thread.open.rend(), is_it);
  if (found == thread.open.rend()) return;  // it was taken before the trace began
  history_.sections[*found].release = release;
  history_.events[release].source = *found;
  thread.open.erase(std::next(found).base());
}

void HistoryBuilder::take_woke(const TraceEvent& event, Thread& thread) {
  if (event.value >= kMostThreads) return;
  Thread& woken = this->thread(static_cast<std::uint32_t>(event.value));
  if (woken.waits_for == event.object && wire::has_effect(woken.waits_in, Effect::kMeet)) {
    Barrier& barrier = barriers_[event.object];
    if (!barrier.completing || barrier.completer != thread.ordinal) {
      barrier.completing = true;
      barrier.completer = thread.ordinal;
      barrier.left = std::exchange(barrier.arrived, {});
      thread.incoming.insert(thread.incoming.end(), barrier.left.begin(), barrier.left.end());
    }
  }
  const EventIndex index = add_other(event, thread);
  in_order(event.object, index);
  woken.incoming.push_back(index);
}

void HistoryBuilder::take_post(const TraceEvent& event, Thread& thread) {
  const EventIndex index = add_other(event, thread);
  in_order(event.object, index);
  if (event.result != EventResult::kDone) return;
  Semaphore& semaphore = semaphores_[event.object];
  const std::uint64_t before = event.value == 0 ? 0 : event.value - 1;
  while (semaphore.posted.size() > before) semaphore.posted.pop_front();
  semaphore.posted.push_back(index);
}

void HistoryBuilder::take_unit(const TraceEvent& event, Thread& thread) {
  Semaphore& semaphore = semaphores_[event.object];
  EventIndex post = kNoEvent;
  if (event.result == EventResult::kDone) {
    while (semaphore.posted.size() > event.value + 1) semaphore.posted.pop_front();
    // Units that were there from the beginning are taken first.
    if (semaphore.posted.size() < event.value + 1) {
      semaphore.has_permits = true;
    } else {
      post = semaphore.posted.front();
      semaphore.posted.pop_front();
    }
  }
  if (post != kNoEvent && !semaphore.has_permits) thread.incoming.push_back(post);
  in_order(event.object, add_other(event, thread));
}

}  // namespace unravel
