/// The clip of an anomaly: which events of a run to show around those of the anomaly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "predict/history.hpp"

namespace unravel {

struct ClippedEvent {
  EventIndex event = kNoEvent;
  bool is_given = false;       // one of the anomaly's own
  std::uint64_t left_out = 0;  // events between the one before and this one that are not shown

  friend bool operator==(const ClippedEvent&, const ClippedEvent&) = default;
};

/// The given events, what their threads did to synchronise and who else accessed their variables:
/// all between them, and a little of their threads before and after. At most `most` events, but all
/// given ones. If there are more, those far from every given event are left out.
std::vector<ClippedEvent> clip_around(const History& history, std::span<const EventIndex> given,
                                      std::size_t most);

/// The events of a thread at a clock: several for an access to more than one granule.
std::vector<EventIndex> events_at(const History& history, std::uint32_t thread, wire::Clock clock);

/// The last event of a thread; kNoEvent: it has none.
EventIndex last_event_of(const History& history, std::uint32_t thread);

}  // namespace unravel
