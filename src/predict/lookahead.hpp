/// Prefetches the memory that the next events of a trace need. Without it, an analysis over much
/// memory mostly waits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "data/trace.hpp"
#include "predict/access.hpp"
#include "predict/shadow_memory.hpp"
#include "predict/threads.hpp"

namespace unravel {

template <class Lookup>
class Lookahead {
 public:
  Lookahead(ShadowMemory<Lookup>& shadow, std::span<const TraceEvent> events)
      : shadow_(shadow), events_(events) {}

  /// Call before event `i` is taken. Each distance uses what a larger one has fetched: the place of
  /// the page, the granule in it, the table of the granule.
  [[gnu::always_inline]] inline void at(std::size_t i) {
    if (i + kPage >= events_.size()) return;
    if (accesses(events_[i + kPage])) shadow_.prefetch_page(events_[i + kPage].object);
    if (accesses(events_[i + kGranuleOf])) shadow_.prefetch_granule(events_[i + kGranuleOf].object);
    if (accesses(events_[i + kTable])) shadow_.prefetch_table(events_[i + kTable].object);
  }

  /// For lookups per thread, whose tables are large. `thread` is the current one, which makes most
  /// of the next events.
  [[gnu::always_inline]] inline void at(std::size_t i, const TracedThread& thread) {
    at(i);
    if (i + kCell >= events_.size()) return;
    const TraceEvent& event = events_[i + kCell];
    if (event.thread != thread.ordinal || !accesses(event)) return;
    const std::uint64_t first = event.object % kGranule;
    const auto bytes =
        static_cast<std::uint8_t>(((1u << std::min(event.size, kGranule - first)) - 1) << first);
    shadow_.prefetch_cell(event.object, {thread.slot, *access_kind(event), bytes, event.site});
  }

 private:
  static constexpr std::size_t kPage = 24;
  static constexpr std::size_t kGranuleOf = 16;
  static constexpr std::size_t kTable = 10;
  static constexpr std::size_t kCell = 5;

  static bool accesses(const TraceEvent& event) { return access_kind(event).has_value(); }

  ShadowMemory<Lookup>& shadow_;
  std::span<const TraceEvent> events_;
};

}  // namespace unravel
