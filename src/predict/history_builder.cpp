#include "predict/history_builder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.hpp"
#include "predict/shadow_memory.hpp"

namespace unravel {

namespace {

using wire::Effect;

constexpr std::uint16_t kSeveral = 0xFFFF;

// The longest round of a loop that is folded, in reads. Chosen by hand.
constexpr std::size_t kLongestRound = 8;

}  // namespace

// --- The second pass ---------------------------------------------------------------------------

HistoryBuilder::HistoryBuilder(const SharedMemory& shared, std::size_t most, IsAtomic is_atomic)
    : shared_(shared), most_(most), is_atomic_(std::move(is_atomic)), variables_(shared.count()) {
  // Memory that is not used in the end costs nothing. Accesses before others came are not counted.
  history_.events.reserve(std::min(shared.expected() + shared.expected() / 8, most));
}

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
    case Effect::kBeginUnit:
    case Effect::kEndUnit: take_mark(event, thread(event.thread)); return;
    case Effect::kEnterFrame:
    case Effect::kLeaveFrame: {
      const bool is_entry = wire::has_effect(event.operation, Effect::kEnterFrame);
      if (is_atomic_) take_frame(event, thread(event.thread), is_entry);
      return;
    }
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
    take_piece(event, thread, event.object - first, byte_bits(first, event.size), kind, is_update);
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
  recent.push_back({hash_of(std::uint64_t{kept.site} << 32 | kept.object,
                            std::uint64_t{kept.source} << 8 | kept.bytes),
                    event});
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
        take_piece(event, thread, address, byte_bits(byte, end - byte), AccessKind::kWrite, false);
      }
    }
    number = GranuleMap::kNone;
  });
  blocks_.erase(event.object);
}

// --- The end -----------------------------------------------------------------------------------

History HistoryBuilder::finish(std::vector<wire::Site> sites) {
  History history = std::move(history_);
  history.sites = std::move(sites);
  end_regions();
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
  if (count == events.size()) return;
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
  // Copying is worth it only if much was dropped.
  if (count < place.size() / 2) events.shrink_to_fit();
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
