#include "predict/clip.hpp"

#include <algorithm>
#include <limits>

namespace unravel {

namespace {

// Events before the first one of the anomaly, and after the last one: mostly the locks around it.
// Chosen by hand.
constexpr std::size_t kAround = 2;

bool contains(std::span<const EventIndex> events, EventIndex event) {
  return std::find(events.begin(), events.end(), event) != events.end();
}

/// Whether an event says something about the given ones.
class Interest {
 public:
  Interest(const History& history, std::span<const EventIndex> given)
      : history_(history), given_(given) {}

  [[nodiscard]] bool is_of_their_threads(EventIndex event) const {
    return std::any_of(given_.begin(), given_.end(), [&](EventIndex other) {
      return history_.events[other].thread == history_.events[event].thread;
    });
  }

  [[nodiscard]] bool in(EventIndex event) const {
    if (contains(given_, event)) return true;
    const KeptEvent& one = history_.events[event];
    if (wire::has_effect(one.operation, wire::Effect::kStart) ||
        wire::has_effect(one.operation, wire::Effect::kEnd)) {
      return false;
    }
    return std::any_of(given_.begin(), given_.end(), [&](EventIndex other) {
      const KeptEvent& known = history_.events[other];
      return is_access(one.role) ? one.object == known.object : one.thread == known.thread;
    });
  }

 private:
  const History& history_;
  std::span<const EventIndex> given_;
};

/// Events of interest, in the order of the run.
class EventsAround {
 public:
  EventsAround(const History& history, std::span<const EventIndex> given)
      : history_(history), interest_(history, given) {
    const auto [first, last] = std::minmax_element(given.begin(), given.end());
    for (EventIndex i = *first; i-- > 0 && events_.size() < kAround;) take_own(i);
    std::reverse(events_.begin(), events_.end());
    for (EventIndex i = *first; i <= *last; ++i) take(i);
    const std::size_t most = events_.size() + kAround;
    for (EventIndex i = *last + 1; i < history.events.size() && events_.size() < most; ++i)
      take_own(i);
  }

  [[nodiscard]] const std::vector<EventIndex>& events() const { return events_; }

 private:
  void take(EventIndex event) {
    if (!interest_.in(event)) return;
    // A wide access is several events in a row.
    const KeptEvent& one = history_.events[event];
    if (!events_.empty() && history_.events[events_.back()].thread == one.thread &&
        history_.events[events_.back()].clock() == one.clock()) {
      return;
    }
    events_.push_back(event);
  }

  /// Before and after the anomaly other threads do not matter.
  void take_own(EventIndex event) {
    if (interest_.is_of_their_threads(event)) take(event);
  }

  const History& history_;
  Interest interest_;
  std::vector<EventIndex> events_;
};

/// For each event, how far the nearest given one is in the list.
std::vector<std::size_t> distances(std::span<const EventIndex> events,
                                   std::span<const EventIndex> given) {
  constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max() / 2;
  std::vector<std::size_t> found(events.size(), kFar);
  std::size_t distance = kFar;
  const auto pass = [&](std::size_t i) {
    distance = contains(given, events[i]) ? 0 : std::min(distance + 1, kFar);
    found[i] = std::min(found[i], distance);
  };
  for (std::size_t i = 0; i < events.size(); ++i) pass(i);
  distance = kFar;
  for (std::size_t i = events.size(); i-- > 0;) pass(i);
  return found;
}

}  // namespace

std::vector<ClippedEvent> clip_around(const History& history, std::span<const EventIndex> given,
                                      std::size_t most) {
  if (given.empty()) return {};
  const std::vector<EventIndex> events = EventsAround(history, given).events();
  const std::vector<std::size_t> distance = distances(events, given);
  std::vector<std::size_t> nearest(events.size());
  for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = i;
  std::stable_sort(nearest.begin(), nearest.end(), [&](std::size_t one, std::size_t other) {
    return distance[one] < distance[other];
  });
  const auto own = static_cast<std::size_t>(std::count(distance.begin(), distance.end(), 0u));
  nearest.resize(std::min(nearest.size(), std::max(most, own)));
  std::sort(nearest.begin(), nearest.end());

  std::vector<ClippedEvent> clip;
  std::size_t next = nearest.empty() ? 0 : nearest.front();
  for (const std::size_t i : nearest) {
    clip.push_back({.event = events[i], .is_given = distance[i] == 0, .left_out = i - next});
    next = i + 1;
  }
  return clip;
}

std::vector<EventIndex> events_at(const History& history, std::uint32_t thread, wire::Clock clock) {
  std::vector<EventIndex> events;
  if (thread >= history.threads()) return events;
  for (EventIndex i = history.first_of(thread); i != kNoEvent; i = history.events[i].next) {
    if (history.events[i].clock() == clock) events.push_back(i);
  }
  return events;
}

EventIndex last_event_of(const History& history, std::uint32_t thread) {
  if (thread >= history.threads()) return kNoEvent;
  EventIndex last = kNoEvent;
  for (EventIndex i = history.first_of(thread); i != kNoEvent; i = history.events[i].next) last = i;
  return last;
}

}  // namespace unravel
