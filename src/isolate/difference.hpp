/// The difference of two schedules in clock form, as a set of smallest changes.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, section 4.3: the
/// i-th switch of one schedule belongs to the i-th of the other, the shorter list gets dummies
/// after the end of both runs, and each delta moves one switch by one point. The paper's switches
/// have no receivers. Here one more delta, the last of its group, changes the receiver. A choice
/// that differs is a delta of its own; these groups come after those of the switches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/delta_debugging.hpp"
#include "data/run.hpp"

namespace unravel {

/// The input of a run in clock form, and the length of that run.
struct ClockForm {
  std::vector<wire::ClockSwitch> switches;
  std::vector<wire::Choice> choices;
  std::uint64_t steps = 0;

  friend bool operator==(const ClockForm&, const ClockForm&) = default;
};

/// As the run realised it.
ClockForm clock_form_of(const Run& run);

/// `base` with its decisions replaced by `form`; the recording conditions stay.
Schedule in_clock_form(const Schedule& base, const ClockForm& form);

/// Whether both switch to the same thread, or both to the head of the queue.
bool same_receiver(const wire::ClockSwitch& one, const wire::ClockSwitch& other);

class ScheduleDifference {
 public:
  ScheduleDifference(const ClockForm& passing, const ClockForm& failing);

  /// Deltas of each group.
  [[nodiscard]] const DeltaCounts& sizes() const { return sizes_; }
  [[nodiscard]] std::uint64_t deltas() const;

  /// The number of switches in each list, including dummies.
  [[nodiscard]] std::size_t switches() const { return passing_.size(); }
  /// The count of dummies; no run got that far.
  [[nodiscard]] std::uint64_t end() const { return end_; }

  /// The switch after `count` deltas of its group are applied.
  [[nodiscard]] wire::ClockSwitch switch_at(std::size_t index, std::uint64_t count) const;

  /// The choice of a group after those of the switches; nothing: the choice is not made.
  [[nodiscard]] const std::optional<wire::Choice>& choice_at(std::size_t group,
                                                             std::uint64_t count) const;

  /// The schedule with these deltas applied; nothing if it is invalid because switches would cross.
  [[nodiscard]] std::optional<ClockForm> apply(const DeltaCounts& counts) const;

 private:
  struct ChoicePair {
    std::optional<wire::Choice> passing;
    std::optional<wire::Choice> failing;
    std::optional<std::size_t> group;  // nothing if both are the same
  };

  void pair_choices(const std::vector<wire::Choice>& passing,
                    const std::vector<wire::Choice>& failing);

  std::uint64_t end_;
  std::vector<wire::ClockSwitch> passing_;
  std::vector<wire::ClockSwitch> failing_;
  std::vector<ChoicePair> choices_;     // in the order of the schedule
  std::vector<std::size_t> choice_of_;  // by group, starting after the groups of the switches
  DeltaCounts sizes_;
};

}  // namespace unravel
