#include "predict/races.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/assert.hpp"
#include "predict/lookahead.hpp"

namespace unravel {
namespace {

using wire::Effect;

std::uint64_t pair_of(std::uint32_t one, std::uint32_t other) {
  return std::uint64_t{std::min(one, other)} << 32 | std::max(one, other);
}

// In smaller tables, growing is cheaper than searching for cells to remove. Chosen by hand.
constexpr std::size_t kWorthPruning = 14;

}  // namespace

void RaceDetector::take(std::span<const TraceEvent> events) {
  UNRAVEL_ASSERT(event_ + events.size() < std::uint64_t{1} << Cell::kNoteBits,
                 "a trace has too many events");
  Lookahead ahead(shadow_, events);
  for (std::size_t i = 0; i < events.size(); ++i) {
    ahead.at(i);
    take(events[i]);
    ++event_;
  }
}

void RaceDetector::take(const TraceEvent& event) {
  TracedThread& thread = order_.thread(event.thread);
  const wire::OperationTraits& traits = wire::traits(event.operation);
  switch (traits.effect) {
    case Effect::kRead:
    case Effect::kWrite:
    case Effect::kUpdate:
      if (traits.is_atomic) order_.acquire_by_access(thread, event);
      access(thread, event, *access_kind(event));
      if (traits.is_atomic) order_.release_by_access(thread, event);
      break;
    case Effect::kFree: free_block(thread, event); break;
    case Effect::kAllocate:
      forget(event.object, event.size);
      blocks_[event.object] = event.size;
      break;
    case Effect::kFresh: forget(event.object, event.size); break;
    default: order_.take(thread, event);
  }
}

void RaceDetector::access(TracedThread& thread, const TraceEvent& event, AccessKind kind) {
  UNRAVEL_ASSERT(event.site < AccessId::kMostSites, "a trace has too many sites");
  for_each_granule(event.object, event.size, [&](std::uint64_t address, std::uint8_t bytes) {
    access(thread, shadow_.at(address), address, {thread.slot, kind, bytes, event.site});
  });
}

void RaceDetector::access(TracedThread& thread, Granule& granule, std::uint64_t address,
                          AccessId id) {
  Cell* outdated = nullptr;
  const Cell* const again = granule.find(id, [&](Cell& cell) {
    if (cell.is(id) && cell.epoch() == thread.epoch) return true;
    if (!outdated && cell.epoch() <= thread.clock.of(cell.id().slot())) outdated = &cell;
    return false;
  });
  // A repeated access in one epoch: any thread that is ordered after the first is also ordered
  // after this one.
  if (again) return;
  check(thread, granule, address, id);
  if (outdated) {
    outdated->set(id, thread.epoch, event_);
  } else {
    if (granule.full()) make_room(granule);
    granule.add(id, thread.epoch, event_);
  }
}

void RaceDetector::check(const TracedThread& thread, Granule& granule, std::uint64_t address,
                         AccessId id) {
  Heads* const heads = granule.heads();
  if (!heads) {
    scan(thread, granule, address, id);
    return;
  }
  const bool writes = unravel::writes(id.kind());
  const bool plain = !is_atomic(id.kind());
  const Head& other_side = !plain ? heads->plain : writes ? heads->all : heads->written;
  if (!other_side.before(thread.clock)) {
    scan(thread, granule, address, id);
    return;
  }
  const Head self{thread.slot, thread.epoch};
  const auto follow = [&](Head& head) { head = head.before(thread.clock) ? self : Head{}; };
  follow(heads->all);
  if (writes) follow(heads->written);
  if (plain) follow(heads->plain);
}

void RaceDetector::scan(const TracedThread& thread, Granule& granule, std::uint64_t address,
                        AccessId id) {
  bool all = true;
  bool written = true;
  bool plain = true;
  granule.for_each([&](const Cell& cell) {
    const AccessId other = cell.id();
    if (cell.epoch() <= thread.clock.of(other.slot())) return;
    all = false;
    written &= !writes(other.kind());
    plain &= is_atomic(other.kind());
    if ((other.bytes() & id.bytes()) != 0 && conflict(id.kind(), other.kind())) {
      report(thread, cell, address, id);
    }
  });
  Heads* const heads = granule.heads();
  if (!heads) return;
  const Head self{thread.slot, thread.epoch};
  heads->all = all ? self : Head{};
  if (written)
    heads->written = self;
  else if (writes(id.kind()))
    heads->written = Head{};
  if (plain)
    heads->plain = self;
  else if (!is_atomic(id.kind()))
    heads->plain = Head{};
}

void RaceDetector::report(const TracedThread& thread, const Cell& cell, std::uint64_t address,
                          AccessId id) {
  const AccessId other = cell.id();
  std::uint32_t& index = race_index_[pair_of(id.site(), other.site())];
  if (index == 0) {
    const unsigned common = other.bytes() & id.bytes();
    Race race;
    race.earlier = {cell.note(), order_.threads().ordinal_of(other.slot(), cell.epoch()),
                    other.site(), other.kind()};
    race.later = {event_, thread.ordinal, id.site(), id.kind()};
    race.address = address + static_cast<unsigned>(std::countr_zero(common));
    races_.push_back(race);
    index = static_cast<std::uint32_t>(races_.size());
  }
  ++races_[index - 1].count;
}

void RaceDetector::make_room(Granule& granule) {
  if (granule.capacity() >= kWorthPruning) {
    const VectorClock& known = order_.threads().known_to_all();
    granule.keep_if([&](const Cell& cell) { return cell.epoch() > known.of(cell.id().slot()); });
    if (!granule.full()) return;
  }
  if (granule.grow(shadow_.pool())) return;
  std::vector<std::uint64_t> events;
  granule.for_each([&](const Cell& cell) { events.push_back(cell.note()); });
  const auto quarter = events.begin() + static_cast<std::ptrdiff_t>(events.size() / 4);
  std::nth_element(events.begin(), quarter, events.end());
  granule.keep_if([&](const Cell& cell) { return cell.note() > *quarter; });
}

void RaceDetector::free_block(TracedThread& thread, const TraceEvent& event) {
  const std::uint64_t* const found = blocks_.find(event.object);
  if (!found) return;
  const std::uint64_t size = *found;
  shadow_.for_each(event.object, size, [&](Granule& granule, std::uint64_t address) {
    const std::uint8_t bytes = bytes_between(address, event.object, event.object + size);
    check(thread, granule, address, {thread.slot, AccessKind::kWrite, bytes, event.site});
  });
  forget(event.object, size);
  blocks_.erase(event.object);
}

void RaceDetector::forget(std::uint64_t address, std::uint64_t size) {
  shadow_.clear(address, size);
  order_.forget(address, size);
}

}  // namespace unravel
