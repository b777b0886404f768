#include "predict/shared_memory.hpp"

#include "predict/access.hpp"
#include "predict/shadow_memory.hpp"

namespace unravel {

using wire::Effect;

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
        access(event, event.object - first, byte_bits(first, event.size), is_write);
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
    default: ++expected_;
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
  expected_ += life.is_shared && life.is_written;
  life.joined |= static_cast<std::uint8_t>(bytes & bytes >> 1);
}

}  // namespace unravel
