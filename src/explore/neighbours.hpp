/// Fuzzed neighbours of a schedule: the same switches, a little earlier or later.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, section 5: every
/// switch of a schedule in clock form is moved by a Gaussian around its place, narrow at first,
/// then wider, until a run has the other outcome. The run that is found is therefore close to the
/// start of the search. The paper's switches have no receivers and are sorted. Here each switch
/// keeps its receiver; switches that would cross get the same place. Nothing is proposed twice.
#pragma once

#include <unordered_set>

#include "base/random.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class Neighbours final : public Strategy {
 public:
  static constexpr double kNarrowest = 1;

  /// Takes the clock form and the choices of a run. `first_width` is the width of the first
  /// proposal.
  Neighbours(std::vector<wire::ClockSwitch> clock_form, std::vector<wire::Choice> choices,
             double first_width = kNarrowest);

  [[nodiscard]] std::string_view name() const override { return "neighbours"; }

  /// Nothing if there is no switch to move, or if no new positions were found.
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;

  /// The standard deviation of the next proposal, in points.
  [[nodiscard]] double width(const Knowledge& known) const;

 private:
  [[nodiscard]] std::vector<wire::ClockSwitch> moved(double width, Random& random) const;

  const std::vector<wire::ClockSwitch> switches_;
  const std::vector<wire::Choice> choices_;
  const double first_width_;
  std::uint64_t widened_ = 0;  // increases with every proposal, and when a width is used up
  std::unordered_set<std::uint64_t> proposed_;  // hashes; includes the original schedule
};

}  // namespace unravel
