#include "predict/event_finder.hpp"

#include <iterator>

namespace unravel {

void EventFinder::take(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) {
    const std::uint64_t place = next_++;
    const bool wanted = found_.size() < places_.size() && places_[found_.size()] == place;
    if (wanted) found_.push_back({.event = event, .object = object_at(event.object)});
    note_memory(event);
  }
}

void EventFinder::note_memory(const TraceEvent& event) {
  switch (wire::traits(event.operation).effect) {
    case wire::Effect::kAllocate:
      if (event.object == 0) break;
      blocks_[event.object] = {
          .size = event.size, .site = event.site, .index = counts_[event.site]++};
      break;
    case wire::Effect::kFree: blocks_.erase(event.object); break;
    default: break;
  }
}

std::optional<HeapObject> EventFinder::object_at(std::uint64_t address) const {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return std::nullopt;
  const auto& [begin, block] = *std::prev(after);
  if (address - begin >= block.size) return std::nullopt;
  return HeapObject{
      .site = block.site, .index = block.index, .offset = address - begin, .size = block.size};
}

}  // namespace unravel
