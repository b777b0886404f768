#include "investigate/points_file.hpp"

#include <algorithm>

#include "investigate/build_ids.hpp"

namespace unravel {

namespace {

// A site takes some bytes, and the largest program has some millions of them.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

/// One file for each build of a program; what has no build id goes by its name.
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
    observer_.warn("what was learnt of the program is learnt again: " + points.error().what);
    return std::nullopt;
  }
  Schedule of_then;
  of_then.modules = points->modules;
  if (!check_same_build(of_then)) return std::nullopt;  // a library is another one by now
  return std::move(*points);
}

void PointsFile::keep(const LearntPoints& points) const {
  const Result<Folder> all = folder();
  const Result<void> written = all ? all->write(name_, encode(points)) : fail(all.error());
  if (!written) {
    observer_.warn("what was learnt of the program was not kept: " + written.error().what + ": " +
                   written.error().why);
  }
}

}  // namespace unravel
