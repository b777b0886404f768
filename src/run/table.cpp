#include "run/table.hpp"

namespace unravel {

Table::Table(std::span<const wire::Event> events, std::span<const wire::Slice> slices) {
  const std::size_t first = events.size() > kLongestClip ? events.size() - kLongestClip : 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const wire::Event& event = events[i];
    std::string object = names_.name(event.operation, event.object);
    if (i < first) continue;
    steps_.push_back({.event = event, .stack = {}, .object = std::move(object)});
    // Hooks have no point at which a run could be held, and a thread that starts has no stack.
    const bool can_hold = wire::traits(event.operation).counts == wire::Counts::kOperation &&
                          event.operation != wire::Operation::kStart;
    if (can_hold) {
      rows_.emplace(std::pair(event.thread.ordinal, event.clock.operations), steps_.size() - 1);
    }
  }

  std::map<std::uint32_t, wire::Clock> reached;
  for (const wire::Slice& slice : slices) {
    wire::Clock& clock = reached[slice.thread.ordinal];
    hold_before(slice, clock);
    clock = slice.until;
  }
}

// After n operations the point before the next one is the first hook, at `n+1` or later.
void Table::hold_before(const wire::Slice& slice, wire::Clock from) {
  const std::uint64_t first = from.hooks > 0 ? from.operations + 1 : from.operations;
  const std::uint64_t end = slice.until.operations + (slice.until.hooks > 0 ? 1 : 0);
  const auto begin_row = rows_.lower_bound({slice.thread.ordinal, first + 1});
  const auto end_row = rows_.lower_bound({slice.thread.ordinal, end + 1});
  for (auto row = begin_row; row != end_row && row != rows_.end(); ++row) {
    const std::uint64_t operation = row->first.second;
    if (row->first.first != slice.thread.ordinal || operation > end) break;
    holds_.push_back({.thread = slice.thread, .clock = {.operations = operation - 1, .hooks = 1}});
  }
}

void Table::add(wire::ThreadId thread, wire::Clock clock, Stack stack) {
  const auto row = rows_.find({thread.ordinal, clock.operations + 1});
  if (row != rows_.end()) steps_[row->second].stack = std::move(stack);
}

}  // namespace unravel
