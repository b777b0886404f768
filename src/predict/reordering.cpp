#include "predict/reordering.hpp"

#include <algorithm>

#include "predict/closed_part.hpp"
#include "predict/linearizer.hpp"

namespace unravel {

namespace {

class Search {
 public:
  Search(const History& history, const Goal& goal, const ReorderRules& rules)
      : history_(history), goal_(goal), rules_(rules) {}

  std::optional<std::vector<EventIndex>> find() {
    for (const bool closes_earliest : {true, false}) {
      ClosedPart part(history_, rules_, goal_);
      extra_.clear();
      if (!grow(part, closes_earliest)) continue;
      std::optional<std::vector<EventIndex>> order = order_of(part);
      if (order) {
        const bool happens = goal_.kind == Goal::Kind::kNeighbours;
        if (happens) order->insert(order->end(), goal_.events.begin(), goal_.events.end());
        return order;
      }
      if (rules_.keeps_lock_order) break;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool stands() const { return goal_.kind != Goal::Kind::kOrder; }

  /// Grows the part until nothing is missing; false: it is impossible.
  bool grow(ClosedPart& part, bool closes_earliest) {
    for (std::size_t i = 0; i < goal_.events.size(); ++i) {
      const EventIndex event = goal_.events[i];
      if (!stands()) {
        part.include(event);
        continue;
      }
      // A thread whose turn comes again goes on with its very next event.
      const EventIndex before = last_of_thread(i);
      if (before == kNoEvent) {
        part.include_before(event);
      } else if (history_.events[before].next != event) {
        return false;
      }
    }
    if (!stands()) {
      for (std::size_t i = 0; i + 1 < goal_.events.size(); ++i) {
        if (!order(part, goal_.events[i], goal_.events[i + 1])) return false;
      }
    }
    while (true) {
      if (!part.close() || is_broken(part)) return false;
      if (rules_.keeps_lock_order) return true;
      const Closing closing = close_one(part, closes_earliest);
      if (closing == Closing::kImpossible) return false;
      if (closing == Closing::kNothingToClose) return true;
    }
  }

  /// The wanted event before the i-th one that the same thread makes; kNoEvent: none.
  [[nodiscard]] EventIndex last_of_thread(std::size_t i) const {
    const std::uint16_t thread = history_.events[goal_.events[i]].thread;
    while (i-- > 0) {
      if (history_.events[goal_.events[i]].thread == thread) return goal_.events[i];
    }
    return kNoEvent;
  }

  [[nodiscard]] bool is_broken(const ClosedPart& part) const {
    return stands() && std::any_of(goal_.events.begin(), goal_.events.end(),
                                   [&](EventIndex event) { return part.has(event); });
  }

  /// `one` has to come before `other`: so do the sections around them, if they exclude each other.
  bool order(ClosedPart& part, EventIndex one, EventIndex other) {
    const OrderEdge edge{one, other};
    if (history_.events[one].thread == history_.events[other].thread) return one < other;
    if (std::find(extra_.begin(), extra_.end(), edge) != extra_.end()) return true;
    extra_.push_back(edge);
    part.include(one);
    for (const std::uint32_t first : history_.sections_around(one)) {
      for (const std::uint32_t then : history_.sections_around(other)) {
        const Section& own = history_.sections[first];
        const Section& its = history_.sections[then];
        if (own.lock != its.lock || !exclude(own, its)) continue;
        if (own.release == one && its.acquire == other) continue;
        if (own.release == kNoEvent) return false;
        if (!order(part, own.release, its.acquire)) return false;
      }
    }
    return true;
  }

  enum class Closing { kNothingToClose, kClosed, kImpossible };

  /// Of two sections of one lock that do not end, one has to.
  Closing close_one(ClosedPart& part, bool closes_earliest) {
    for (const auto& [lock, sections] : part.sections()) {
      std::vector<std::uint32_t> open;
      for (const std::uint32_t section : sections) {
        if (!part.is_closed(section)) open.push_back(section);
      }
      if (open.size() < 2) continue;
      std::sort(open.begin(), open.end());
      if (!closes_earliest) std::reverse(open.begin(), open.end());
      for (const std::uint32_t section : open) {
        const bool excludes = std::any_of(open.begin(), open.end(), [&](std::uint32_t other) {
          return other != section && exclude(history_.sections[other], history_.sections[section]);
        });
        if (!excludes) continue;
        const EventIndex release = history_.sections[section].release;
        if (release == kNoEvent || (stands() && is_behind_goal(release))) continue;
        part.include(release);
        return Closing::kClosed;
      }
      const bool any = std::any_of(open.begin(), open.end(), [&](std::uint32_t one) {
        return std::any_of(open.begin(), open.end(), [&](std::uint32_t other) {
          return one != other && exclude(history_.sections[one], history_.sections[other]);
        });
      });
      if (any) return Closing::kImpossible;
    }
    return Closing::kNothingToClose;
  }

  [[nodiscard]] bool is_behind_goal(EventIndex event) const {
    return std::any_of(goal_.events.begin(), goal_.events.end(), [&](EventIndex one) {
      return history_.events[one].thread == history_.events[event].thread && event > one;
    });
  }

  std::optional<std::vector<EventIndex>> order_of(const ClosedPart& part) const {
    if (rules_.keeps_lock_order && rules_.keeps_sources && !rules_.by_value && stands()) {
      return in_old_order(part);
    }
    return linearize(history_, rules_, part, extra_);
  }

  [[nodiscard]] std::vector<EventIndex> in_old_order(const ClosedPart& part) const {
    std::vector<EventIndex> order;
    order.reserve(part.size());
    for (EventIndex event = 0; event < history_.events.size(); ++event) {
      if (part.has(event)) order.push_back(event);
    }
    return order;
  }

  const History& history_;
  const Goal& goal_;
  const ReorderRules& rules_;
  std::vector<OrderEdge> extra_;
};

}  // namespace

std::optional<std::vector<EventIndex>> reorder(const History& history, const Goal& goal,
                                               const ReorderRules& rules) {
  return Search(history, goal, rules).find();
}

}  // namespace unravel
