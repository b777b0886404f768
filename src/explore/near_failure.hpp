/// Runs near one that failed, in another build of the program.
///
/// What made the run fail is kept as constraints, which are tried first, all of them. Then come
/// some of them, looser ones, beginnings of the run's own schedule, and in between what a hunt
/// would try.
#pragma once

#include "explore/portfolio.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class NearFailure final : public Strategy {
 public:
  /// Of proposals that keep all constraints, and of those that keep less.
  static constexpr std::string_view kAllConstraints = "constraints";
  static constexpr std::string_view kNearby = "neighbours";

  /// `schedule` is what another build can still follow of the run that failed.
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
