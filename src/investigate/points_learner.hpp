/// Learns the points of the set `auto` from traces of the program's runs, and stores them.
#pragma once

#include <filesystem>

#include "data/learnt_points.hpp"
#include "investigate/observer.hpp"
#include "investigate/points_file.hpp"
#include "predict/access_union.hpp"
#include "run/runner.hpp"

namespace unravel {

class PointsLearner {
 public:
  /// `store` is a directory.
  PointsLearner(Runner& runner, const Program& program, const std::filesystem::path& store,
                Observer& observer);

  /// Uses the points that earlier commands learnt for this build. If there are none, learns from a
  /// first run with as few switches as possible.
  Result<void> begin();

  /// After a batch: learns from the runs that did something new.
  Result<void> learn_from(const BatchRequest& batch, const std::vector<RunSummary>& runs);

  const LearntPoints& points() const { return points_; }

 private:
  Result<void> learn(RunRequest request);

  Runner& runner_;
  PointsFile file_;
  LearntPoints points_;
  AccessUnion accesses_;
};

}  // namespace unravel
