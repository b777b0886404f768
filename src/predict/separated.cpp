#include "predict/separated.hpp"

#include <algorithm>
#include <unordered_map>

namespace unravel {

namespace {

// In a longer access, only this many bytes are examined. Chosen by hand.
constexpr std::uint64_t kMostBytes = 64;

bool is_lock(const TraceEvent& event) {
  return wire::has_effect(event.operation, wire::Effect::kAcquire) &&
         event.result == wire::EventResult::kDone;
}

bool acts(const TraceEvent& event) { return wire::is_access(event.operation) || is_lock(event); }

bool writes(const TraceEvent& event) { return !wire::is_load(event.operation); }

/// Whether the thread had made the event when it was left at `until`. A hook comes before its
/// access.
bool is_made(const TraceEvent& event, wire::Clock until) {
  return wire::is_hook(event.operation) ? event.clock < until : event.clock <= until;
}

SeparatedEvent described(const Trace& trace, const TraceEvent& event) {
  wire::Clock before = event.clock;
  if (!wire::is_hook(event.operation)) {
    before = {event.clock.operations - 1, wire::kBeforeNext};
  }
  return {event.thread, event.operation, trace.sites[event.site], before};
}

/// The nearest access to each byte; a write is preferred to a read.
class Nearest {
 public:
  void add(std::size_t index, const TraceEvent& event) {
    each(event, [&](std::uint64_t byte) {
      auto& [any, write] = found_[byte];
      if (!any) any = index;
      if (!write && writes(event)) write = index;
    });
  }

  /// The nearest event that conflicts with this one.
  [[nodiscard]] std::optional<std::size_t> conflicting(const TraceEvent& event) const {
    std::optional<std::size_t> nearest;
    each(event, [&](std::uint64_t byte) {
      const auto at = found_.find(byte);
      if (at == found_.end() || nearest) return;
      nearest = writes(event) ? at->second.any : at->second.write;
    });
    return nearest;
  }

 private:
  struct Entry {
    std::optional<std::size_t> any;
    std::optional<std::size_t> write;
  };

  template <class Do>
  static void each(const TraceEvent& event, const Do& action) {
    const std::uint64_t size = std::clamp<std::uint64_t>(event.size, 1, kMostBytes);
    for (std::uint64_t byte = event.object; byte < event.object + size; ++byte) action(byte);
  }

  std::unordered_map<std::uint64_t, Entry> found_;
};

/// Smaller ranks are shown first.
struct Rank {
  bool is_lock = false;
  bool lacks_one = false;
  std::size_t distance = 0;

  friend auto operator<=>(const Rank&, const Rank&) = default;
};

}  // namespace

std::vector<Separated> separated_by(const Trace& trace, std::span<const wire::Slice> slices,
                                    std::size_t slice) {
  const std::uint32_t thread = slices[slice].thread.ordinal;
  const wire::Clock until = slices[slice].until;
  const std::vector<TraceEvent>& events = trace.events;
  // The others had the turn between the thread's last event before the switch and its next one.
  std::size_t left = 0, back = events.size();
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].thread != thread) continue;
    if (is_made(events[i], until)) {
      left = i + 1;
    } else {
      back = i;
      break;
    }
  }
  Nearest before, after;
  for (std::size_t i = left; i-- > 0;) {
    if (events[i].thread == thread && acts(events[i])) before.add(i, events[i]);
  }
  for (std::size_t i = back; i < events.size(); ++i) {
    if (events[i].thread == thread && acts(events[i])) after.add(i, events[i]);
  }

  std::vector<std::pair<Rank, Separated>> found;
  for (std::size_t i = left; i < back; ++i) {
    if (events[i].thread == thread || !acts(events[i])) continue;
    const auto earlier = before.conflicting(events[i]);
    const auto later = after.conflicting(events[i]);
    if (!earlier && !later) continue;
    Separated one{.before = {}, .between = described(trace, events[i]), .after = {}};
    Rank rank{.is_lock = is_lock(events[i]), .lacks_one = !earlier || !later, .distance = 0};
    if (earlier) {
      one.before = described(trace, events[*earlier]);
      rank.distance += left - *earlier;
    }
    if (later) {
      one.after = described(trace, events[*later]);
      rank.distance += *later - back;
    }
    const bool known = std::any_of(found.begin(), found.end(), [&](const auto& other) {
      return other.second.between.site == one.between.site && other.second.before == one.before &&
             other.second.after == one.after;
    });
    if (!known) found.emplace_back(rank, std::move(one));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<Separated> best;
  for (auto& [rank, one] : found) {
    const bool worse = !best.empty() && (rank.is_lock || rank.lacks_one) &&
                       !(found.front().first.is_lock || found.front().first.lacks_one);
    if (worse || best.size() == kMostSeparated) break;
    best.push_back(std::move(one));
  }
  return best;
}

}  // namespace unravel
