/// The points of the set `auto`: learnt from traces of the program's own runs, kept in the store.
#pragma once

#include <filesystem>

#include "data/learnt_points.hpp"
#include "investigate/observer.hpp"
#include "investigate/points_file.hpp"
#include "run/runner.hpp"

namespace unravel {

class PointsLearner {
 public:
  /// What is learnt is kept in `store`, a directory.
  PointsLearner(Runner& runner, const Program& program, const std::filesystem::path& store,
                Observer& observer);

  /// Uses what earlier commands learnt of this build of the program; learns from a first run, with
  /// as few switches as can be, if there is nothing.
  Result<void> begin();

  /// After a batch: looks at runs that did something new.
  Result<void> look_again(const BatchRequest& batch, const std::vector<RunSummary>& runs);

  const LearntPoints& points() const { return points_; }

 private:
  Result<void> learn(RunRequest request);

  Runner& runner_;
  PointsFile file_;
  LearntPoints points_;
};

}  // namespace unravel
