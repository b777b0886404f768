/// The directories that a worker's program sees as its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "run/isolation_keeper.hpp"

namespace unravel {

/// A directory with what may be written to it in a layer of its own. Layers lie in one file
/// system in memory, so that whether any has grown can be seen by its number of free inodes.
struct Place {
  std::string path;
  UniqueFd lower;          // the real one; none: it starts out empty
  bool is_overlay = true;  // else what is mounted there is only shown again
  bool has_start = false;
  int mounts = 0;   // of ours on top of each other
  int base = 0;     // generation of the layer that the program was started on
  int current = 0;  // of the layer that is written to now
};

class Places {
 public:
  /// Mounts everything. `in_user_namespace`: as an ordinary user.
  static Result<Places> create(const IsolatedPaths& paths, bool in_user_namespace);

  Result<void> renew();
  Result<void> end_start();
  Result<void> reset();

  const std::vector<Place>& all() const { return places_; }
  /// Descriptors of what the start wrote, none if it wrote nothing, and of what came after.
  UniqueFd open_start(const Place& place) const;
  UniqueFd open_current(const Place& place) const;

 private:
  explicit Places(bool in_user_namespace) : in_user_namespace_(in_user_namespace) {}

  Result<void> find(const IsolatedPaths& paths);
  Result<void> add(std::string path, bool shows_real);
  std::string layer(const Place& place, std::string_view name) const;
  std::string upper(const Place& place, int generation) const;
  bool wrote(const Place& place) const;
  /// With every place inside the chosen ones chosen too: a new mount would hide it.
  std::vector<bool> with_inner(std::vector<bool> chosen) const;
  Result<void> mount(Place& place);
  Result<void> mount_again(Place& place);
  Result<void> keep_start(Place& place);
  Result<void> unmount(Place& place);
  void forget(Place& place, int generation);

  bool in_user_namespace_;
  UniqueFd memory_;            // the file system in memory
  std::vector<Place> places_;  // outer ones first
  int generations_ = 0;
};

/// Mount points in the text of /proc/self/mountinfo.
std::vector<std::string> mount_points(std::string_view mountinfo);

/// Whether `path` is `directory` or below it. Both absolute and without links.
bool is_in(std::string_view path, std::string_view directory);

}  // namespace unravel
