/// Fuzzed neighbours of a schedule: the same switches, a little earlier or later.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, section 5: every
/// switch of a schedule in clock form is moved by a Gaussian around its place, narrow at first and
/// ever wider, until a run ends otherwise; what is found so is close to where the search began. The
/// paper's switches have no receivers: here each keeps its own, so that those which would cross
/// meet instead of being sorted. Nothing is proposed twice.
#pragma once

#include <unordered_set>

#include "base/random.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class Neighbours final : public Strategy {
 public:
  /// A point or two.
  static constexpr double kNarrowest = 1;

  /// Of a run: its clock form, and the choices that go with it. `first_width` is that of the first
  /// proposal.
  Neighbours(std::vector<wire::ClockSwitch> clock_form, std::vector<wire::Choice> choices,
             double first_width = kNarrowest);

  [[nodiscard]] std::string_view name() const override { return "neighbours"; }

  /// Nothing, if there is no switch to move, or wherever they are moved to was proposed before.
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  /// By how much the next proposal moves its switches: the standard deviation, in points.
  [[nodiscard]] double width(const Knowledge& known) const;

 private:
  [[nodiscard]] std::vector<wire::ClockSwitch> moved(double width, Random& random) const;

  const std::vector<wire::ClockSwitch> switches_;
  const std::vector<wire::Choice> choices_;
  const double first_width_;
  std::uint64_t widened_ = 0;  // once for every proposal, and whenever a width had no more
  std::unordered_set<std::uint64_t> proposed_;  // hashes; the schedule itself is one
};

}  // namespace unravel
