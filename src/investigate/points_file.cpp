#include "investigate/points_file.hpp"

#include <algorithm>

#include "investigate/build_ids.hpp"

namespace unravel {

namespace {

// Room for millions of sites of a few bytes each. Chosen by hand.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

/// One file for each build of a program. Without a build id the file is named after the program.
std::string file_name(const Program& program) {
  if (const auto id = build_id_of(program.path)) return *id;
  std::string name = program.path;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace

PointsFile::PointsFile(const Program& program, const std::filesystem::path& store,
                       Observer& observer)
    : store_(store), name_(file_name(program)), observer_(observer) {}

Result<Folder> PointsFile::folder() const {
  const Result<Folder> store = Folder::open(store_);
  if (!store) return fail(store.error());
  return store->make("points");
}

std::optional<LearntPoints> PointsFile::read() const {
  const Result<Folder> all = folder();
  const auto bytes = all ? all->read(name_, kMostBytes) : fail(all.error());
  if (!bytes || !*bytes) return std::nullopt;
  Result<LearntPoints> points = decode_learnt_points(**bytes);
  if (!points) {
    observer_.warn("the points learnt for this program cannot be read and are learnt again: " +
                   points.error().what);
    return std::nullopt;
  }
  Schedule of_then;
  of_then.modules = points->modules;
  if (!check_same_build(of_then)) return std::nullopt;  // a library has changed
  return std::move(*points);
}

void PointsFile::keep(const LearntPoints& points) const {
  const Result<Folder> all = folder();
  const Result<void> written = all ? all->write(name_, encode(points)) : fail(all.error());
  if (!written) {
    observer_.warn("the points learnt for this program could not be stored: " +
                   written.error().what + ": " + written.error().why);
  }
}

}  // namespace unravel
