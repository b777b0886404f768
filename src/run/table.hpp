/// The interleaving table: the operations of a run with the stacks that made them.
///
/// The runtime never unwinds, so the driver must look while a thread stands at an operation. A
/// first run tells which operations there are; a second one is held before each.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "data/run.hpp"
#include "run/object_names.hpp"
#include "wire/control.hpp"

namespace unravel {

/// As many operations as a person can take in; what decides a failure is near its end.
inline constexpr std::size_t kLongestClip = 400;

class Table {
 public:
  /// The clip: the last operations of `events`, all of which give objects their names. `slices`
  /// are those of the same run.
  Table(std::span<const wire::Event> events, std::span<const wire::Slice> slices);

  /// Where the run is to be held: at the point before each operation of the clip, in the order in
  /// which these points are reached, which is not that of the events: a thread may stand before a
  /// lock for a long time.
  const std::vector<wire::Hold>& holds() const { return holds_; }

  /// The thread stands before its operation `clock.operations + 1`, with this stack.
  void add(wire::ThreadId thread, wire::Clock clock, Stack stack);

  /// The rows, and what objects were called in them. Rows without a stack keep an empty one.
  std::vector<Step> take_steps() { return std::move(steps_); }
  ObjectNames& names() { return names_; }

 private:
  void hold_before(const wire::Slice& slice, wire::Clock from);

  std::vector<Step> steps_;
  std::vector<wire::Hold> holds_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> rows_;  // by thread, operation
  ObjectNames names_;
};

}  // namespace unravel
