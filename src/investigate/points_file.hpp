/// The points that earlier commands learnt for a build of a program: a file in the store.
#pragma once

#include <filesystem>
#include <optional>

#include "base/folder.hpp"
#include "data/learnt_points.hpp"
#include "data/program.hpp"
#include "investigate/observer.hpp"

namespace unravel {

class PointsFile {
 public:
  PointsFile(const Program& program, const std::filesystem::path& store, Observer& observer);

  /// Nothing if there is no file for this build and its libraries.
  [[nodiscard]] std::optional<LearntPoints> read() const;
  /// Only warns if it fails: the points can be learnt again.
  void keep(const LearntPoints& points) const;

 private:
  Result<Folder> folder() const;

  std::filesystem::path store_;
  std::string name_;
  Observer& observer_;
};

}  // namespace unravel
