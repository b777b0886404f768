/// Learns from traced runs of a hunt: pairs of sites that may conflict, the points of `auto`, and
/// runs that may fail.
#pragma once

#include <set>

#include "explore/hunt_loop.hpp"
#include "investigate/points_file.hpp"
#include "investigate/predicted_runs.hpp"
#include "predict/access_union.hpp"

namespace unravel {

class HuntLearner final : public Learner {
 public:
  /// `predicts`: the strategy wants predicted runs.
  HuntLearner(Pool& pool, PointsFile file, wire::PointSet points, bool predicts = false);

  Result<Lesson> learn(const Proposal& proposal) override;
  [[nodiscard]] std::shared_ptr<const std::vector<wire::Site>> marks() const override {
    return marks_;
  }

  /// Sites with points that traced runs have reached.
  [[nodiscard]] const std::set<std::uint64_t>& sites() const { return sites_; }
  [[nodiscard]] const std::vector<ModuleId>& modules() const { return modules_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Pool& pool_;
  PointsFile file_;
  const bool learns_points_;
  std::optional<PredictedRuns> predicted_;
  AccessUnion accesses_;
  LearntPoints points_;
  std::shared_ptr<const std::vector<wire::Site>> marks_;
  std::set<std::uint64_t> sites_;
  std::vector<ModuleId> modules_;
  std::vector<std::string> warnings_;
};

}  // namespace unravel
