#include "predict/conflicts.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"
#include "predict/lookahead.hpp"

namespace unravel {

using wire::Effect;
using wire::EventResult;

void ConflictFinder::take(std::span<const TraceEvent> events) {
  Lookahead ahead(shadow_, events);
  for (std::size_t i = 0; i < events.size(); ++i) {
    ahead.at(i, threads_.get(events[i].thread));
    take(events[i]);
  }
}

void ConflictFinder::take(const TraceEvent& event) {
  TracedThread& thread = threads_.get(event.thread);
  if (const auto kind = access_kind(event)) {
    access(thread, event, *kind);
    return;
  }
  switch (wire::traits(event.operation).effect) {
    case Effect::kFree: free_block(thread, event); break;
    case Effect::kAllocate: blocks_[event.object] = event.size; [[fallthrough]];
    case Effect::kFresh:
      forget(event.object, event.size);
      if (listener_) listener_->fresh(event);
      break;
    default: take_sync(thread, event);
  }
}

void ConflictFinder::take_sync(TracedThread& thread, const TraceEvent& event) {
  const bool done = event.result == EventResult::kDone;
  switch (wire::traits(event.operation).effect) {
    case Effect::kAcquire:
      if (done) take_lock(thread, event.object, LockMode::kWrite);
      break;
    case Effect::kAcquireShared:
      if (done) take_lock(thread, event.object, LockMode::kRead);
      break;
    case Effect::kRelease:
      if (done && thread.held.released(event.object)) take_unlock(thread, event.object);
      break;
    case Effect::kCreate:
      if (done) create(thread, static_cast<std::uint32_t>(event.object));
      break;
    case Effect::kEnd: threads_.end(thread); break;
    case Effect::kJoin:
      if (done) join(thread, static_cast<std::uint32_t>(event.object));
      break;
    case Effect::kReleaseToWait:
      thread.held.gave_up(event.object);
      take_unlock(thread, event.object);
      break;
    case Effect::kReuse: forget_lock(event.object); break;
    default: break;  // all others order threads in this run only, or not at all
  }
}

void ConflictFinder::create(TracedThread& creator, std::uint32_t ordinal) {
  threads_.create(creator, ordinal);
  if (listener_) listener_->created(creator, threads_.get(ordinal));
}

void ConflictFinder::join(TracedThread& joiner, std::uint32_t ordinal) {
  if (listener_) listener_->joined(joiner, ordinal);
  threads_.join(joiner, ordinal);
}

void ConflictFinder::take_lock(TracedThread& thread, std::uint64_t object, LockMode mode) {
  if (!thread.held.acquired(object, mode)) return;
  std::uint32_t* number = lock_numbers_.find(object);
  if (!number) {
    locks_.insert(object);
    number = &lock_numbers_[object];
    *number = locks_met_++;
  }
  thread.lockset = locksets_.with(thread.lockset, *number, mode);
}

void ConflictFinder::take_unlock(TracedThread& thread, std::uint64_t object) {
  const std::uint32_t* const number = lock_numbers_.find(object);
  if (number) thread.lockset = locksets_.without(thread.lockset, *number);
}

void ConflictFinder::access(TracedThread& thread, const TraceEvent& event, AccessKind kind) {
  UNRAVEL_ASSERT(event.site < AccessId::kMostSites, "a trace has too many sites");
  for_each_granule(event.object, event.size, [&](std::uint64_t address, std::uint8_t bytes) {
    access(thread, shadow_.at(address), address, {thread.slot, kind, bytes, event.site});
  });
}

void ConflictFinder::access(TracedThread& thread, Granule& granule, std::uint64_t address,
                            AccessId id) {
  Cell* const cell =
      granule.find(id, [&](const Cell& one) { return one.note() == thread.lockset; });
  // A repeated access in one epoch: accesses of other threads were compared with the first one.
  if (cell && cell->epoch() == thread.epoch) return;
  if (listener_) listener_->accessed(thread, address, id);
  if (Crowd* const crowd = crowd_of(address)) return access_crowd(thread, *crowd, id);
  check(thread, granule, address, id);
  if (cell) {
    cell->set(id, thread.epoch, thread.lockset);
    return;
  }
  if (granule.full()) make_room(granule, address);
  if (Crowd* const crowd = crowd_of(address)) return access_crowd(thread, *crowd, id);
  granule.add(id, thread.epoch, thread.lockset);
}

ConflictFinder::Crowd* ConflictFinder::crowd_of(std::uint64_t address) {
  if (crowds_.empty()) return nullptr;
  const auto found = crowds_.find(address);
  return found == crowds_.end() ? nullptr : &found->second;
}

void ConflictFinder::compare(const TracedThread& thread, Locksets::Id lockset, AccessId id,
                             const Crowded& other, AccessId other_id, std::uint64_t address) {
  if (other.epoch <= thread.clock.of(other_id.slot())) return;
  if ((other_id.bytes() & id.bytes()) == 0 || !conflict(id.kind(), other_id.kind())) return;
  if (locksets_.exclude(other.lockset, lockset)) return;
  mark(other_id.site());
  mark(id.site());
  const bool is_one = address && other_id.bytes() == id.bytes();
  const auto first = static_cast<std::uint64_t>(std::countr_zero(id.bytes()));
  pairs_.add(other_id.site(), id.site(), is_one ? address + first : 0);
}

void ConflictFinder::check(const TracedThread& thread, const Granule& granule,
                           std::uint64_t address, AccessId id) {
  granule.for_each([&](const Cell& cell) {
    compare(thread, thread.lockset, id, {cell.epoch(), static_cast<Locksets::Id>(cell.note())},
            cell.id(), address);
  });
}

void ConflictFinder::check(const TracedThread& thread, Crowd& crowd, Locksets::Id lockset,
                           AccessId id) {
  crowd.for_each([&](std::uint64_t word, const Crowded& other) {
    compare(thread, lockset, id, other, AccessId(word), 0);  // it does not tell bytes apart
  });
}

void ConflictFinder::access_crowd(const TracedThread& thread, Crowd& crowd, AccessId id) {
  const AccessId whole{id.slot(), id.kind(), 0xFF, id.site()};
  Crowded& known = crowd[whole.word()];
  const Crowded before = known;
  add_to_crowd(crowd, whole, thread.epoch, thread.lockset);
  const Crowded now = *crowd.find(whole.word());
  if (before.epoch == now.epoch && before.lockset == now.lockset) return;
  check(thread, crowd, now.lockset, whole);
}

void ConflictFinder::add_to_crowd(Crowd& crowd, AccessId id, Epoch epoch, Locksets::Id lockset) {
  Crowded& known = crowd[id.word()];
  known.lockset = known.epoch == Cell::kUnused ? lockset : locksets_.both(known.lockset, lockset);
  known.epoch = std::max(known.epoch, epoch);
}

void ConflictFinder::make_room(Granule& granule, std::uint64_t address) {
  if (granule.grow(shadow_.pool())) return;
  const VectorClock& known = threads_.known_to_all();
  granule.keep_if([&](const Cell& cell) { return cell.epoch() > known.of(cell.id().slot()); });
  if (!granule.full()) return;
  Crowd& crowd = crowds_[address];  // its cells were already compared with each other
  granule.for_each([&](const Cell& cell) {
    const AccessId id{cell.id().slot(), cell.id().kind(), 0xFF, cell.id().site()};
    add_to_crowd(crowd, id, cell.epoch(), static_cast<Locksets::Id>(cell.note()));
  });
  granule.clear(shadow_.pool());
}

void ConflictFinder::free_block(TracedThread& thread, const TraceEvent& event) {
  const std::uint64_t* const found = blocks_.find(event.object);
  if (!found) return;
  const std::uint64_t size = *found;
  const AccessId all{thread.slot, AccessKind::kWrite, 0xFF, event.site};
  shadow_.for_each(event.object, size, [&](Granule& granule, std::uint64_t address) {
    const std::uint8_t bytes = bytes_between(address, event.object, event.object + size);
    const AccessId id{thread.slot, AccessKind::kWrite, bytes, event.site};
    if (listener_) listener_->accessed(thread, address, id);
    check(thread, granule, address, id);
  });
  for (auto next = crowds_.lower_bound(event.object);
       next != crowds_.end() && next->first - event.object < size; ++next) {
    check(thread, next->second, thread.lockset, all);
  }
  forget(event.object, size);
  blocks_.erase(event.object);
  if (listener_) listener_->freed(event.object);
}

void ConflictFinder::forget(std::uint64_t address, std::uint64_t size) {
  shadow_.clear(address, size);
  // Granules that are only partly in the range stay: a crowd does not tell bytes apart.
  for (auto next = crowds_.lower_bound(address);
       next != crowds_.end() && next->first + kGranule - address <= size;) {
    next = crowds_.erase(next);
  }
  for (auto next = locks_.lower_bound(address); next != locks_.end() && *next - address < size;) {
    forget_lock(*next++);
  }
}

void ConflictFinder::forget_lock(std::uint64_t object) {
  const std::uint32_t* const number = lock_numbers_.find(object);
  if (!number) return;
  threads_.for_each([&](TracedThread& thread) {
    thread.held.forget(object);
    thread.lockset = locksets_.without(thread.lockset, *number);
  });
  lock_numbers_.erase(object);
  locks_.erase(object);
}

void ConflictFinder::mark(std::uint32_t site) {
  if (site >= marked_.size()) marked_.resize(site + 1);
  marked_[site] = true;
}

std::vector<std::uint32_t> ConflictFinder::sites() const {
  std::vector<std::uint32_t> found;
  for (std::size_t site = 0; site < marked_.size(); ++site) {
    if (marked_[site]) found.push_back(static_cast<std::uint32_t>(site));
  }
  return found;
}

}  // namespace unravel
