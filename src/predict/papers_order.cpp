#include <algorithm>

#include "predict/candidates.hpp"
#include "predict/witness.hpp"

namespace unravel {

namespace {

/// The acquire of the outermost section around an event; kNoEvent: there is none.
EventIndex outermost_lock(const History& history, EventIndex event) {
  const std::vector<std::uint32_t> sections = history.sections_around(event);
  return sections.empty() ? kNoEvent : history.sections[sections.front()].acquire;
}

bool depends(const History& history, EventIndex event, EventIndex on) {
  return event == on || history.is_before(on, event);
}

/// Algorithm 3: `first` was earlier, and comes right before `then`.
std::vector<EventIndex> bring_together(const History& history, EventIndex first, EventIndex then) {
  const EventIndex lock = outermost_lock(history, first);
  const EventIndex from = lock == kNoEvent ? first : lock;
  std::vector<EventIndex> order;
  std::vector<EventIndex> moved;
  for (EventIndex i = 0; i < then; ++i) {
    if (i >= from && i <= first && depends(history, i, from)) {
      moved.push_back(i);
    } else if (i < first || !depends(history, i, first)) {
      order.push_back(i);
    }
  }
  order.insert(order.end(), moved.begin(), moved.end());
  order.push_back(then);
  return order;
}

/// Algorithm 2: where in the unit the other event may come: before this event of it.
EventIndex position(const History& history, Locksets& locksets, EventIndex first, EventIndex other,
                    EventIndex last) {
  for (EventIndex i = history.events[first].next; i <= last; i = history.events[i].next) {
    const bool is_ordered = history.is_before(i, other) || history.is_before(other, i);
    const bool excludes =
        locksets.exclude(history.events[i].lockset, history.events[other].lockset);
    if (!is_ordered && !excludes) return i;
  }
  return kNoEvent;
}

/// Algorithm 4: the other event was after the unit, and comes before `x`.
std::vector<EventIndex> bring_between(const History& history, EventIndex other, EventIndex last,
                                      EventIndex x) {
  const EventIndex lock = outermost_lock(history, x);
  std::vector<EventIndex> order;
  std::vector<EventIndex> before;
  std::vector<EventIndex> after;
  for (EventIndex i = 0; i < other; ++i) {
    if (lock != kNoEvent && i >= lock && i < x && depends(history, i, lock)) {
      before.push_back(i);
    } else if (i >= x && depends(history, i, x)) {
      if (i <= last) after.push_back(i);
    } else {
      order.push_back(i);
    }
  }
  order.insert(order.end(), before.begin(), before.end());
  order.push_back(other);
  order.insert(order.end(), after.begin(), after.end());
  return order;
}

/// The same for an event that was before the unit: it is moved to `x` as by Algorithm 3.
std::vector<EventIndex> put_off(const History& history, EventIndex other, EventIndex last,
                                EventIndex x) {
  std::vector<EventIndex> order = bring_together(history, other, x);
  for (EventIndex i = x + 1; i <= last; ++i) {
    if (!depends(history, i, other)) order.push_back(i);
  }
  return order;
}

}  // namespace

std::optional<std::vector<EventIndex>> papers_order(const History& history, const Goal& goal) {
  const std::vector<EventIndex>& events = goal.events;
  if (goal.kind == Goal::Kind::kNeighbours && events.size() == 2) {
    const EventIndex first = std::min(events[0], events[1]);
    return bring_together(history, first, std::max(events[0], events[1]));
  }
  if (goal.kind != Goal::Kind::kOrder || events.size() != 3 ||
      history.events[events[0]].thread != history.events[events[2]].thread) {
    return std::nullopt;
  }
  Locksets locksets = history.locksets;
  const auto [first, other, last] = std::array{events[0], events[1], events[2]};
  const EventIndex x = position(history, locksets, first, other, last);
  if (x == kNoEvent) return std::nullopt;
  return other > last ? bring_between(history, other, last, x) : put_off(history, other, last, x);
}

}  // namespace unravel
