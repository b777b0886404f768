#include "predict/closed_part.hpp"

#include <algorithm>

namespace unravel {

ClosedPart::ClosedPart(const History& history, const ReorderRules& rules, const Goal& goal)
    : history_(history), rules_(rules), cut_(history.threads()), scanned_(history.threads()) {
  for (std::uint32_t thread = 0; thread < history.threads(); ++thread) {
    scanned_[thread] = history.first_of(thread);
  }
  for (std::size_t i = 0; i < goal.events.size(); ++i) {
    const std::uint16_t thread = history.events[goal.events[i]].thread;
    const bool is_last =
        std::none_of(goal.events.begin() + static_cast<std::ptrdiff_t>(i) + 1, goal.events.end(),
                     [&](EventIndex later) { return history.events[later].thread == thread; });
    if (is_last) free_.push_back(goal.events[i]);
  }
}

bool ClosedPart::is_free(EventIndex event) const {
  return std::find(free_.begin(), free_.end(), event) != free_.end();
}

void ClosedPart::include_before(EventIndex event) {
  EventIndex& cut = cut_[history_.events[event].thread];
  cut = std::max(cut, event);
  for (const OrderEdge& edge : History::edges_to(history_.must, event)) include(edge.from);
  if (!rules_.keeps_usual) return;
  for (const OrderEdge& edge : History::edges_to(history_.usual, event)) include(edge.from);
}

bool ClosedPart::close() {
  for (bool changes = true; changes && is_possible_;) {
    changes = false;
    for (std::uint32_t thread = 0; thread < cut_.size(); ++thread) {
      while (scanned_[thread] < cut_[thread] && is_possible_) {
        const EventIndex event = scanned_[thread];
        scanned_[thread] = history_.events[event].next;
        ++size_;
        scan(event);
        changes = true;
      }
    }
  }
  return is_possible_;
}

void ClosedPart::scan(EventIndex event) {
  const KeptEvent& kept = history_.events[event];
  if (kept.has_edges) {
    for (const OrderEdge& edge : History::edges_to(history_.must, event)) include(edge.from);
    if (rules_.keeps_usual) {
      for (const OrderEdge& edge : History::edges_to(history_.usual, event)) include(edge.from);
    }
  }
  if (reads(kept.role) && rules_.keeps_sources && !is_free(event)) include_value(kept, event);
  if (is_acquire(kept.role)) scan_acquire(kept.source);
}

void ClosedPart::include_value(const KeptEvent& read, EventIndex event) {
  if (read.source == kNoEvent) return;
  if (rules_.by_value && read.has_value && !has(read.source)) {
    // Another write of the same value that belongs here anyway will do.
    const std::span<const EventIndex> accesses = history_.accesses_to(read.object);
    const auto is_same = [&](EventIndex other) {
      const KeptEvent& write = history_.events[other];
      return other != event && writes(write.role) && write.has_value && write.value == read.value &&
             has(other);
    };
    if (std::any_of(accesses.begin(), accesses.end(), is_same)) return;
  }
  include(read.source);
}

// Of two sections that exclude each other, the earlier one has to end.
void ClosedPart::scan_acquire(std::uint32_t section) {
  const Section& own = history_.sections[section];
  sections_[own.lock].push_back(section);
  if (!rules_.keeps_lock_order) return;
  Sections& others = by_lock_[own.lock];
  const bool is_writer = own.mode == LockMode::kWrite;
  const std::uint32_t latest =
      is_writer ? std::max(others.latest_writer, others.latest_reader) : others.latest_writer;
  if (section < latest) end(section);
  std::erase_if(others.unclosed, [&](std::uint32_t one) { return is_closed(one); });
  for (const std::uint32_t other : others.unclosed) {
    if (other < section && exclude(history_.sections[other], own)) end(other);
  }
  others.unclosed.push_back(section);
  std::uint32_t& newest = is_writer ? others.latest_writer : others.latest_reader;
  newest = std::max(newest, section);
}

void ClosedPart::end(std::uint32_t section) {
  const EventIndex release = history_.sections[section].release;
  if (release == kNoEvent) {
    is_possible_ = false;
  } else {
    include(release);
  }
}

}  // namespace unravel
