#include "predict/history_builder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.hpp"
#include "predict/shadow_memory.hpp"

namespace unravel {

namespace {

using wire::Effect;
using wire::EventResult;
using wire::ObjectKind;
using wire::Operation;

constexpr std::uint16_t kSeveral = 0xFFFF;

// Keys of orders that are not about one address.
constexpr std::uint64_t kCreations = 1;
constexpr std::uint64_t kTheOutside = 2;

// The longest round of a loop that is folded, in reads. Chosen by hand.
constexpr std::size_t kLongestRound = 8;

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

std::uint8_t bits(std::uint64_t first, std::uint64_t count) {
  return static_cast<std::uint8_t>(((1u << count) - 1) << first);
}

}  // namespace

// --- The first pass ----------------------------------------------------------------------------

void SharedMemory::take(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) take(event);
}

void SharedMemory::take(const TraceEvent& event) {
  switch (wire::traits(event.operation).effect) {
    case Effect::kRead:
    case Effect::kWrite:
    case Effect::kUpdate: {
      const bool is_write = writes(*access_kind(event));
      const std::uint64_t first = event.object % kGranule;
      if (event.size <= kGranule - first) [[likely]] {
        access(event, event.object - first, bits(first, event.size), is_write);
        return;
      }
      for_each_granule(event.object, event.size, [&](std::uint64_t address, std::uint8_t bytes) {
        access(event, address, bytes, is_write);
      });
      return;
    }
    case Effect::kFree: {
      const std::uint64_t* const size = blocks_.find(event.object);
      if (!size) return;
      map_.for_each(event.object, *size, [&](std::uint64_t, LifeNumber& number) {
        GranuleLife& life = lives_[number];
        life.is_shared |= life.thread != static_cast<std::uint16_t>(event.thread);
        life.is_written = true;
        number = GranuleMap::kNone;
      });
      blocks_.erase(event.object);
      return;
    }
    case Effect::kAllocate: blocks_[event.object] = event.size; [[fallthrough]];
    case Effect::kFresh: map_.clear(event.object, event.size); return;
    default: return;
  }
}

void SharedMemory::access(const TraceEvent& event, std::uint64_t address, std::uint8_t bytes,
                          bool writes) {
  if (bytes == 0) return;
  LifeNumber& number = map_.at(address);
  const auto thread = static_cast<std::uint16_t>(event.thread);
  if (number == GranuleMap::kNone) {
    number = static_cast<LifeNumber>(lives_.size());
    lives_.push_back({.thread = thread});
  }
  GranuleLife& life = lives_[number];
  life.is_shared |= life.thread != thread;
  life.is_written |= writes;
  life.joined |= static_cast<std::uint8_t>(bytes & bytes >> 1);
}

// --- The second pass ---------------------------------------------------------------------------

struct HistoryBuilder::Thread {
  /// A read that may be part of a round.
  struct Recent {
    std::uint64_t signature;
    EventIndex event;
  };

  std::uint32_t ordinal = 0;
  HeldLocks held;
  Locksets::Id lockset = Locksets::kEmpty;
  std::vector<std::uint32_t> open;   // sections
  std::vector<EventIndex> incoming;  // events that must come before its next one
  std::vector<Recent> recent;        // reads since it last did something else
  std::vector<EventIndex> spins;     // reads of the loop in which it waits
  EventIndex last = kNoEvent;
  EventIndex region = kNoEvent;  // the first event of the region that it is in
  std::uint32_t marked = 0;      // regions of the user's that it is in
  Operation waits_in = Operation::kNone;
  std::uint64_t waits_for = 0;
};

HistoryBuilder::HistoryBuilder(const SharedMemory& shared, std::size_t most)
    : shared_(shared), most_(most), variables_(shared.count()) {}

HistoryBuilder::~HistoryBuilder() = default;

HistoryBuilder::Thread& HistoryBuilder::thread(std::uint32_t ordinal) {
  if (ordinal >= threads_.size()) threads_.resize(ordinal + 1);
  std::unique_ptr<Thread>& found = threads_[ordinal];
  if (!found) {
    found = std::make_unique<Thread>();
    found->ordinal = ordinal;
  }
  return *found;
}

void HistoryBuilder::take(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) take(event);
}

void HistoryBuilder::take(const TraceEvent& event) {
  ++history_.traced;
  if (history_.is_cut) return;
  if (history_.events.size() >= most_ || event.thread >= kMostThreads ||
      event.clock.operations > ~0u || event.clock.hooks > ~0u) {
    history_.is_cut = true;
    return;
  }
  switch (wire::traits(event.operation).effect) {
    case Effect::kRead:
    case Effect::kWrite:
    case Effect::kUpdate: take_access(event, thread(event.thread), *access_kind(event)); return;
    case Effect::kFree: take_free(event, thread(event.thread)); return;
    case Effect::kAllocate: blocks_[event.object] = event.size; [[fallthrough]];
    case Effect::kFresh: map_.clear(event.object, event.size); return;
    default: take_sync(event, thread(event.thread));
  }
}

std::uint32_t HistoryBuilder::variable_of(LifeNumber life, std::uint64_t address, unsigned byte) {
  const std::uint8_t joined = shared_.life(life).joined;
  // One number for each variable of the granule; the first byte of a variable has no joined byte
  // before it.
  const auto starts = static_cast<std::uint8_t>(~(static_cast<unsigned>(joined) << 1));
  std::uint32_t& first = variables_[life];
  if (first == 0) {
    first = static_cast<std::uint32_t>(history_.objects.size()) + 1;
    for (unsigned i = 0; i < kGranule; ++i) {
      if (starts >> i & 1) history_.objects.push_back({address + i, true});
    }
    last_write_.resize(history_.objects.size(), kNoEvent);
    touched_by_.resize(history_.objects.size(), 0);
  }
  const auto before = static_cast<std::uint8_t>(starts & ((2u << byte) - 1));
  return first - 1 + static_cast<std::uint32_t>(std::popcount(before)) - 1;
}

std::uint32_t HistoryBuilder::object_of(std::uint64_t address, bool is_number) {
  std::uint32_t& known = sync_objects_[is_number ? hash_of(address, 1) : address];
  if (known == 0) {
    history_.objects.push_back({address, false});
    last_write_.resize(history_.objects.size(), kNoEvent);
    touched_by_.resize(history_.objects.size(), 0);
    known = static_cast<std::uint32_t>(history_.objects.size());
  }
  return known - 1;
}

EventIndex HistoryBuilder::add(const TraceEvent& event, Thread& thread, Role role,
                               std::uint32_t object) {
  const auto index = static_cast<EventIndex>(history_.events.size());
  KeptEvent& kept = history_.events.emplace_back();
  kept.object = object;
  kept.site = event.site;
  kept.hooks = static_cast<std::uint32_t>(event.clock.hooks);
  kept.operations = static_cast<std::uint32_t>(event.clock.operations);
  kept.lockset = thread.lockset;
  kept.thread = static_cast<std::uint16_t>(thread.ordinal);
  kept.operation = event.operation;
  kept.role = role;
  if (!thread.incoming.empty()) [[unlikely]] {
    for (const EventIndex from : thread.incoming) {
      const bool is_other = history_.events[from].thread != kept.thread;
      if (is_other) history_.must.push_back({from, index});
    }
    thread.incoming.clear();
    thread.recent.clear();
  }
  if (role != Role::kRead) {
    thread.recent.clear();
    thread.spins.clear();
  }
  thread.last = index;
  return index;
}

// --- Accesses ----------------------------------------------------------------------------------

void HistoryBuilder::take_access(const TraceEvent& event, Thread& thread, AccessKind kind) {
  const bool is_update = wire::has_effect(event.operation, Effect::kUpdate) && writes(kind);
  const std::uint64_t first = event.object % kGranule;
  if (event.size <= kGranule - first) [[likely]] {
    take_piece(event, thread, event.object - first, bits(first, event.size), kind, is_update);
    return;
  }
  for_each_granule(event.object, event.size, [&](std::uint64_t address, std::uint8_t bytes) {
    take_piece(event, thread, address, bytes, kind, is_update);
  });
}

void HistoryBuilder::take_piece(const TraceEvent& event, Thread& thread, std::uint64_t address,
                                std::uint8_t bytes, AccessKind kind, bool is_update) {
  if (bytes == 0) return;
  LifeNumber& number = map_.at(address);
  if (number == GranuleMap::kNone) number = ++lives_;
  const GranuleLife& life = shared_.life(number);
  if (!life.is_shared || !life.is_written) return;
  const std::uint32_t variable =
      variable_of(number, address, static_cast<unsigned>(std::countr_zero(bytes)));
  const Role role = is_update ? Role::kUpdate : writes(kind) ? Role::kWrite : Role::kRead;
  const EventIndex index = add(event, thread, role, variable);
  KeptEvent& kept = history_.events[index];
  kept.bytes = bytes;
  kept.is_atomic = is_atomic(kind);
  kept.has_value = event.has_value;
  if (event.has_value) kept.value = static_cast<std::uint32_t>(hash_of(event.value));
  std::uint16_t& by = touched_by_[variable];
  const auto own = static_cast<std::uint16_t>(thread.ordinal + 1);
  by = by == 0 || by == own ? own : kSeveral;
  if (reads(role)) kept.source = last_write_[variable];
  if (writes(role)) last_write_[variable] = index;
  if (role == Role::kRead) fold(thread, index);
}

/// Drops the round before the last one if it was the same, and the one before it.
void HistoryBuilder::fold(Thread& thread, EventIndex event) {
  const KeptEvent& kept = history_.events[event];
  // The loop ends with the first read that another thread's write changed.
  if (!thread.spins.empty()) {
    for (const EventIndex earlier : thread.spins) {
      const KeptEvent& before = history_.events[earlier];
      if (before.site != kept.site || before.object != kept.object) continue;
      if (before.source == kept.source || kept.source == kNoEvent) break;
      if (history_.events[kept.source].thread != kept.thread) {
        history_.spins.push_back({kept.source, event});
      }
      thread.spins.clear();
      break;
    }
  }
  std::vector<Thread::Recent>& recent = thread.recent;
  recent.push_back({hash_of(kept.site, kept.object, kept.source, kept.bytes), event});
  const std::size_t size = recent.size();
  for (std::size_t round = 1; round <= kLongestRound && 3 * round <= size; ++round) {
    if (recent[size - 1].signature != recent[size - 1 - round].signature) continue;
    bool is_same = true;
    for (std::size_t i = size - 2 * round; is_same && i < size; ++i) {
      is_same = recent[i].signature == recent[i - round].signature;
    }
    if (!is_same) continue;
    folded_.resize(history_.events.size());
    thread.spins.clear();
    for (std::size_t i = size - 2 * round; i < size - round; ++i) {
      folded_[recent[i].event] = true;
      thread.spins.push_back(recent[i].event);
    }
    recent.erase(recent.end() - static_cast<std::ptrdiff_t>(2 * round),
                 recent.end() - static_cast<std::ptrdiff_t>(round));
    return;
  }
  // More reads than two rounds and the next are not needed.
  constexpr std::size_t kMostRecent = 16 * kLongestRound;
  if (size > kMostRecent) recent.erase(recent.begin(), recent.begin() + kMostRecent / 2);
}

void HistoryBuilder::take_free(const TraceEvent& event, Thread& thread) {
  const std::uint64_t* const found = blocks_.find(event.object);
  if (!found) return;
  const std::uint64_t size = *found;
  map_.for_each(event.object, size, [&](std::uint64_t address, LifeNumber& number) {
    const GranuleLife& life = shared_.life(number);
    if (life.is_shared) {
      // One write to each variable of the granule.
      for (unsigned byte = 0; byte < kGranule; ++byte) {
        if (first_byte_of(life.joined, byte) != byte) continue;
        unsigned end = byte + 1;
        while (end < kGranule && first_byte_of(life.joined, end) == byte) ++end;
        take_piece(event, thread, address, bits(byte, end - byte), AccessKind::kWrite, false);
      }
    }
    number = GranuleMap::kNone;
  });
  blocks_.erase(event.object);
}

// --- Synchronisation ---------------------------------------------------------------------------

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
    case Effect::kStart:
    case Effect::kEnd: add_other(event, thread); return;
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

/// A region begins with the first lock, and ends with the last; what orders threads ends it, too.
void HistoryBuilder::update_region(Thread& thread, EventIndex event, bool is_boundary) {
  const bool is_inside = !thread.open.empty() || thread.marked > 0;
  if (thread.region != kNoEvent && (!is_inside || is_boundary)) {
    regions_.push_back({thread.region, event, static_cast<std::uint16_t>(thread.ordinal)});
    thread.region = kNoEvent;
    if (is_inside) thread.region = event + 1;
    return;
  }
  if (thread.region == kNoEvent && is_inside) thread.region = event;
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

// --- The end -----------------------------------------------------------------------------------

History HistoryBuilder::finish(std::vector<wire::Site> sites) {
  History history = std::move(history_);
  history.sites = std::move(sites);
  for (const auto& thread : threads_) {
    if (thread && thread->region != kNoEvent && thread->region <= thread->last) {
      regions_.push_back(
          {thread->region, thread->last, static_cast<std::uint16_t>(thread->ordinal)});
    }
  }
  compact(history, regions_);
  std::sort(regions_.begin(), regions_.end(),
            [](const Region& one, const Region& other) { return one.first < other.first; });
  history.finish(std::move(regions_));
  return history;
}

/// Drops folded rounds, and variables that one thread alone touched.
void HistoryBuilder::compact(History& history, std::vector<Region>& regions) {
  std::vector<KeptEvent>& events = history.events;
  std::vector<bool> is_end(events.size());
  for (const std::vector<OrderEdge>* const edges : {&history.must, &history.usual}) {
    for (const OrderEdge& edge : *edges) is_end[edge.from] = is_end[edge.to] = true;
  }
  for (const OrderEdge& edge : history.spins) is_end[edge.from] = is_end[edge.to] = true;
  folded_.resize(events.size());
  std::vector<EventIndex> place(events.size() + 1);
  std::vector<bool> kept(events.size());
  EventIndex count = 0;
  for (EventIndex i = 0; i < events.size(); ++i) {
    const bool is_private =
        unravel::is_access(events[i].role) && touched_by_[events[i].object] != kSeveral;
    kept[i] = is_end[i] || (!folded_[i] && !is_private);
    place[i] = count;
    count += kept[i];
  }
  place[events.size()] = count;
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (!kept[i]) continue;
    KeptEvent& event = events[place[i]];
    event = events[i];
    if (unravel::is_access(event.role) && event.source != kNoEvent) {
      // A read of private memory may be kept for its order; its write is not.
      event.source = kept[event.source] ? place[event.source] : kNoEvent;
    }
  }
  events.resize(count);
  events.shrink_to_fit();
  for (std::vector<OrderEdge>* const edges : {&history.must, &history.usual, &history.spins}) {
    for (OrderEdge& edge : *edges) edge = {place[edge.from], place[edge.to]};
  }
  for (Section& section : history.sections) {
    section.acquire = place[section.acquire];
    if (section.release != kNoEvent) section.release = place[section.release];
  }
  // A region may begin or end with an event that was dropped.
  for (Region& region : regions) {
    const bool has_last = kept[region.last];
    region.first = place[region.first];
    region.last = has_last ? place[region.last] : place[region.last] - 1;
  }
  std::erase_if(regions, [&](const Region& region) {
    return region.first >= count || region.last == kNoEvent || region.last < region.first;
  });
}

}  // namespace unravel
