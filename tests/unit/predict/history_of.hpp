/// Histories of traces that are made by hand. Sites tell events apart.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "predict/history.hpp"
#include "predict/history_builder.hpp"
#include "unit/predict/trace_builder.hpp"

namespace unravel {

using enum wire::Operation;

inline constexpr std::uint64_t kVar = 0x1000;  // each has a granule of its own
inline constexpr std::uint64_t kNextVar = 0x1008;
inline constexpr std::uint64_t kFlagVar = 0x1800;
inline constexpr std::uint64_t kBlock = 0x4000;
inline constexpr std::uint64_t kLockM = 0x3000;
inline constexpr std::uint64_t kLockN = 0x3040;
inline constexpr std::uint64_t kThing = 0x3100;  // a condition, a semaphore, a barrier, ...

inline History history_of(TraceBuilder& trace, std::size_t most = HistoryBuilder::kMostEvents) {
  set_clocks(trace.events);
  SharedMemory shared;
  shared.take(trace.events);
  HistoryBuilder builder(shared, most);
  builder.take(trace.events);
  return builder.finish(std::vector<wire::Site>(64));
}

/// A synchronisation operation with a site.
inline void sync(TraceBuilder& trace, std::uint32_t thread, Operation operation,
                 std::uint64_t object, std::uint32_t site, std::uint64_t value = 0) {
  trace.add(thread, operation, object, value).site = site;
}

inline std::vector<EventIndex> all_at(const History& history, std::uint32_t site) {
  std::vector<EventIndex> events;
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    if (history.events[i].site == site) events.push_back(i);
  }
  return events;
}

inline EventIndex at(const History& history, std::uint32_t site) {
  const std::vector<EventIndex> events = all_at(history, site);
  EXPECT_EQ(events.size(), 1u) << "events of site " << site;
  return events.empty() ? 0 : events.front();
}

inline const KeptEvent& kept_at(const History& history, std::uint32_t site) {
  static const KeptEvent kNone;
  const EventIndex event = at(history, site);
  return event < history.events.size() ? history.events[event] : kNone;
}

inline std::uint32_t object_at(const History& history, std::uint32_t site) {
  return kept_at(history, site).object;
}

inline std::set<std::uint32_t> kept_sites(const History& history) {
  std::set<std::uint32_t> sites;
  for (const KeptEvent& event : history.events) sites.insert(event.site);
  return sites;
}

using SiteSet = std::set<std::uint32_t>;

}  // namespace unravel
