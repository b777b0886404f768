/// Proposes runs near a failure of another build of the program.
///
/// The failure is stored with the constraints that caused it. Proposals with all constraints come
/// first. Then come subsets of the constraints, looser constraints, prefixes of the failing
/// schedule and, in between, what a hunt would try.
#pragma once

#include "explore/portfolio.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class NearFailure final : public Strategy {
 public:
  /// Names of proposals with all constraints, and of all others.
  static constexpr std::string_view kAllConstraints = "constraints";
  static constexpr std::string_view kNearby = "neighbours";

  /// `schedule`: the part of the failing schedule that another build can follow.
  explicit NearFailure(Schedule schedule, std::vector<wire::Constraint> constraints);

  [[nodiscard]] std::string_view name() const override { return kNearby; }

  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
  void observe(const Proposal& proposal, const Observation& seen) override;

 private:
  Proposal with_all(const Knowledge& known, std::uint64_t seed) const;
  Proposal with_some(const Knowledge& known, std::uint64_t seed) const;
  Proposal along_schedule(std::uint64_t seed) const;

  const Schedule schedule_;
  const std::vector<wire::Constraint> constraints_;
  Portfolio hunt_ = Portfolio::everything();
  std::uint64_t proposed_ = 0;
};

}  // namespace unravel
