/// Looks for predicted events in the trace of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/trace.hpp"

namespace unravel {

/// An event that a run should make.
struct ExpectedEvent {
  std::uint32_t thread = 0;
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  wire::Clock clock;
  // How often the thread has made this operation at this site, from 1. 0: the clock tells.
  std::uint64_t occurrence = 0;
};

class EventWatch {
 public:
  struct Seen {
    std::uint64_t position = 0;  // in the trace, without notes
    wire::Clock clock;
    std::uint64_t object = 0;
    std::uint64_t size = 0;

    friend bool operator==(const Seen&, const Seen&) = default;
  };

  explicit EventWatch(std::vector<ExpectedEvent> expected = {})
      : expected_(std::move(expected)), seen_(expected_.size()), count_(expected_.size()) {}

  /// `sites` are those that events are indices of.
  void take(std::span<const TraceEvent> events, std::span<const wire::Site> sites) {
    for (const TraceEvent& event : events) {
      if (wire::traits(event.operation).counts == wire::Counts::kNothing) continue;
      for (std::size_t i = 0; i < expected_.size(); ++i) look(i, event, sites);
      ++position_;
    }
  }

  /// Forget everything so far: the run starts again.
  void begin() {
    seen_.assign(expected_.size(), std::nullopt);
    count_.assign(expected_.size(), 0);
    position_ = 0;
  }

  [[nodiscard]] const std::vector<std::optional<Seen>>& seen() const { return seen_; }
  [[nodiscard]] const std::vector<ExpectedEvent>& expected() const { return expected_; }

  /// Whether all of them happened, in this order, and if wanted, with nothing between them.
  [[nodiscard]] bool in_order(bool as_neighbours) const {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) return false;
      if (i == 0) continue;
      const std::uint64_t before = seen_[i - 1]->position;
      if (seen_[i]->position <= before) return false;
      if (as_neighbours && seen_[i]->position != before + 1) return false;
    }
    return true;
  }

  /// Whether two of them accessed the same memory. A free concerns a whole block.
  [[nodiscard]] bool overlap(std::size_t one, std::size_t other) const {
    if (!seen_[one] || !seen_[other]) return false;
    if (expected_[one].operation == wire::Operation::kFree ||
        expected_[other].operation == wire::Operation::kFree) {
      return true;
    }
    return seen_[one]->object < seen_[other]->object + seen_[other]->size &&
           seen_[other]->object < seen_[one]->object + seen_[one]->size;
  }

 private:
  void look(std::size_t i, const TraceEvent& event, std::span<const wire::Site> sites) {
    const ExpectedEvent& wanted = expected_[i];
    if (event.thread != wanted.thread || seen_[i] || event.operation != wanted.operation) return;
    if (wanted.occurrence == 0 && event.clock != wanted.clock) return;
    if (sites[event.site] != wanted.site) return;
    if (++count_[i] < wanted.occurrence) return;
    seen_[i] = {position_, event.clock, event.object, event.size};
  }

  std::vector<ExpectedEvent> expected_;
  std::vector<std::optional<Seen>> seen_;
  std::vector<std::uint64_t> count_;
  std::uint64_t position_ = 0;
};

}  // namespace unravel
