/// What two schedules in clock form differ in, taken apart into the smallest changes.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, section 4.3: the
/// i-th switch of one belongs to the i-th of the other, the shorter list gets dummies after the end
/// of both runs, and each delta moves one switch by one point. The paper's switches have no
/// receivers; here one more delta, the last of its group, changes the receiver, and a choice that
/// differs is a delta of its own, in groups after those of the switches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/run.hpp"
#include "base/delta_debugging.hpp"

namespace unravel {

/// What goes into a run in clock form, and how long that run was.
struct ClockForm {
  std::vector<wire::ClockSwitch> switches;
  std::vector<wire::Choice> choices;
  std::uint64_t steps = 0;

  friend bool operator==(const ClockForm&, const ClockForm&) = default;
};

/// As a run realised it.
ClockForm clock_form_of(const Run& run);

/// `base` in clock form: under what it was recorded stays, what it decides is replaced.
Schedule in_clock_form(const Schedule& base, const ClockForm& form);

/// Whether both go to the same thread, or both to the head of the queue.
bool same_receiver(const wire::ClockSwitch& one, const wire::ClockSwitch& other);

class ScheduleDifference {
 public:
  ScheduleDifference(const ClockForm& passing, const ClockForm& failing);

  /// Deltas of each group.
  [[nodiscard]] const DeltaCounts& sizes() const { return sizes_; }
  [[nodiscard]] std::uint64_t deltas() const;

  /// Of both lists, dummies included.
  [[nodiscard]] std::size_t switches() const { return passing_.size(); }
  /// Where dummies are: no run got there.
  [[nodiscard]] std::uint64_t end() const { return end_; }

  /// A switch with so many of its group's deltas applied.
  [[nodiscard]] wire::ClockSwitch switch_at(std::size_t index, std::uint64_t count) const;

  /// What the choice of a group after those of the switches is; nothing: it is not made.
  [[nodiscard]] const std::optional<wire::Choice>& choice_at(std::size_t group,
                                                             std::uint64_t count) const;

  /// The schedule with these deltas applied; nothing if it is invalid: switches would cross.
  [[nodiscard]] std::optional<ClockForm> apply(const DeltaCounts& counts) const;

 private:
  struct ChoicePair {
    std::optional<wire::Choice> passing;
    std::optional<wire::Choice> failing;
    std::optional<std::size_t> group;  // none if they are the same
  };

  void pair_choices(const std::vector<wire::Choice>& passing,
                    const std::vector<wire::Choice>& failing);

  std::uint64_t end_;
  std::vector<wire::ClockSwitch> passing_;
  std::vector<wire::ClockSwitch> failing_;
  std::vector<ChoicePair> choices_;     // in the order in which they are handed over
  std::vector<std::size_t> choice_of_;  // by group, from the first after the switches
  DeltaCounts sizes_;
};

}  // namespace unravel
