#include "predict/run_accesses.hpp"

#include <iterator>

#include "base/hash.hpp"

namespace unravel {

RunAccesses::RunAccesses() { blocks_.emplace_back(); }

MemoryPlace RunAccesses::place_of(std::uint64_t address) const {
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return {.offset = address};
  const auto& [begin, extent] = *std::prev(after);
  if (address - begin >= extent.size) return {.offset = address};
  return {.block = extent.block, .offset = address - begin};
}

void RunAccesses::accessed(const TracedThread& thread, std::uint64_t address, AccessId id) {
  if (accesses_.size() == kMost || thread.ordinal >= kMostThreadBits) return;
  const Access access{.place = place_of(address),
                      .id = id,
                      .thread = thread.ordinal,
                      .lockset = thread.lockset,
                      .epoch = thread.epoch,
                      .over = over(thread.ordinal)};
  bool& is_known = known_[hash_of(access.place.block, access.place.offset, id.word(), access.thread,
                                  access.lockset, access.epoch)];
  if (is_known) return;
  is_known = true;
  accesses_.push_back(access);
  const auto [set, is_new] = locksets_.try_emplace(thread.lockset);
  if (!is_new) return;
  std::vector<Lock>& locks = set->second;
  thread.held.for_each([&](std::uint64_t object, LockMode mode) {
    locks.push_back({place_of(object), mode});
  });
}

void RunAccesses::fresh(const TraceEvent& event) {
  // What was there before is gone, even if nobody said so.
  for (auto next = live_.lower_bound(event.object);
       next != live_.end() && next->first - event.object < event.size;) {
    next = live_.erase(next);
  }
  if (event.size == 0 || blocks_.size() == kMost) return;
  const std::uint32_t nth = allocated_[hash_of(event.thread, event.site)]++;
  live_[event.object] = {event.size, static_cast<std::uint32_t>(blocks_.size())};
  blocks_.push_back({.site = event.site, .thread = event.thread, .nth = nth});
}

void RunAccesses::freed(std::uint64_t address) { live_.erase(address); }

void RunAccesses::created(const TracedThread& creator, const TracedThread& thread) {
  over_[thread.ordinal] = over(creator.ordinal);
  threads_ |= thread_bit(thread.ordinal);
  if (thread.ordinal >= kMostThreadBits) return;
  starts_.push_back({thread.ordinal, thread.clock});
}

void RunAccesses::joined(const TracedThread& joiner, std::uint32_t ordinal) {
  over_[joiner.ordinal] = over(joiner.ordinal) | over(ordinal) | thread_bit(ordinal);
}

ThreadBits RunAccesses::over(std::uint32_t thread) const {
  const auto found = over_.find(thread);
  return found == over_.end() ? 0 : found->second;
}

ThreadBits RunAccesses::may_meet(const Access& access) const {
  ThreadBits never = access.over | thread_bit(access.thread);
  for (const Start& start : starts_) {
    const bool is_later = start.knows.of(access.id.slot()) >= access.epoch;
    if (is_later) never |= thread_bit(start.thread);
  }
  return threads_ & ~never;
}

}  // namespace unravel
