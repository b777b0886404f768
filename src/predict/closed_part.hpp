/// A part of a history that is closed under what its events need: see reordering.hpp.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "predict/history.hpp"
#include "predict/reordering.hpp"

namespace unravel {

class ClosedPart {
 public:
  ClosedPart(const History& history, const ReorderRules& rules, const Goal& goal);

  /// Adds an event with all that it needs. Call close() afterwards.
  void include(EventIndex event) {
    EventIndex& cut = cut_[history_.events[event].thread];
    if (cut <= event) cut = event + 1;
  }
  /// Adds what comes before an event, and what must come before it, but not the event.
  void include_before(EventIndex event);

  /// Returns false if some event needs what never happened.
  bool close();

  [[nodiscard]] bool has(EventIndex event) const {
    return event < cut_[history_.events[event].thread];
  }
  /// The first event of the thread that does not belong to it; kNoEvent or above: all do.
  [[nodiscard]] EventIndex cut_of(std::uint32_t thread) const { return cut_[thread]; }
  /// The same, exactly; call it after close(). kNoEvent: all do.
  [[nodiscard]] EventIndex first_after(std::uint32_t thread) const { return scanned_[thread]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Sections that begin here, by lock.
  [[nodiscard]] const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& sections()
      const {
    return sections_;
  }
  /// Whether a section ends here, too.
  [[nodiscard]] bool is_closed(std::uint32_t section) const {
    const EventIndex release = history_.sections[section].release;
    return release != kNoEvent && has(release);
  }
  /// Whether a read may have any value: it is the last event of its thread that is wanted.
  [[nodiscard]] bool is_free(EventIndex event) const;

 private:
  /// Sections of one lock, which are numbered in their old order.
  struct Sections {
    std::vector<std::uint32_t> unclosed;
    std::uint32_t latest_writer = 0;
    std::uint32_t latest_reader = 0;
  };

  void scan(EventIndex event);
  void scan_acquire(std::uint32_t section);
  void end(std::uint32_t section);
  void include_value(const KeptEvent& read, EventIndex event);

  const History& history_;
  const ReorderRules& rules_;
  std::vector<EventIndex> free_;     // reads whose value is free
  std::vector<EventIndex> cut_;      // by thread
  std::vector<EventIndex> scanned_;  // by thread: the next event to look at
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> sections_;
  std::unordered_map<std::uint32_t, Sections> by_lock_;
  std::size_t size_ = 0;
  bool is_possible_ = true;
};

/// Whether two sections of one lock cannot overlap.
inline bool exclude(const Section& one, const Section& other) {
  return one.mode == LockMode::kWrite || other.mode == LockMode::kWrite;
}

}  // namespace unravel
