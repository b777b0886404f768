#include "cli/points_file.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "cli/build_ids.hpp"

namespace unravel {

namespace {

/// One file for each build of a program; what has no build id goes by its name.
std::string file_name(const Program& program) {
  if (const auto id = build_id_of(program.path)) return *id;
  std::string name = program.path;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace

PointsFile::PointsFile(const Program& program, const std::filesystem::path& store,
                       const Console& console)
    : file_(store / "points" / file_name(program)), console_(console) {}

std::optional<LearntPoints> PointsFile::read() const {
  std::error_code none;
  if (!std::filesystem::exists(file_, none)) return std::nullopt;
  const auto bytes = read_file(file_);
  if (!bytes) return std::nullopt;
  Result<LearntPoints> points = decode_learnt_points(*bytes);
  if (!points) {
    console_.warn("what was learnt of the program is learnt again: " + points.error().what);
    return std::nullopt;
  }
  Schedule of_then;
  of_then.modules = points->modules;
  if (!check_same_build(of_then)) return std::nullopt;  // a library is another one by now
  return std::move(*points);
}

void PointsFile::keep(const LearntPoints& points) const {
  std::error_code none;
  std::filesystem::create_directories(file_.parent_path(), none);
  const Result<void> written = write_file_atomically(file_, encode(points));
  if (!written) {
    console_.warn("what was learnt of the program was not kept: " + written.error().what);
  }
}

}  // namespace unravel
