/// What earlier commands learnt of a build of a program: a file in the store.
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

  /// Nothing if there is none of this build and of its libraries.
  [[nodiscard]] std::optional<LearntPoints> read() const;
  /// Nothing is lost but time if that is not possible.
  void keep(const LearntPoints& points) const;

 private:
  Result<Folder> folder() const;

  std::filesystem::path store_;
  std::string name_;
  Observer& observer_;
};

}  // namespace unravel
