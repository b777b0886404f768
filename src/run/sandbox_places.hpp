/// The directories of which a worker's program has its own copy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "run/sandbox_keeper.hpp"
#include "run/sandbox_mounts.hpp"

namespace unravel {

/// A directory whose writes go to a layer of its own. All layers are in one file system in memory,
/// so its number of free inodes shows whether any has grown.
struct SandboxPlace {
  std::string path;
  UniqueFd lower;           // the real directory; none: it starts empty
  UniqueFd stand_ins;       // a layer above it, with files that are seen there too; none: no files
  bool is_wanted = false;   // writes there must be discarded
  bool is_mount = false;    // a mount of its own, which an outer one would hide
  bool is_overlay = true;   // otherwise the mount is only shown again
  unsigned long flags = 0;  // of mount(2)
  int number = 0;           // part of the names of its layers
  bool has_start = false;
  int mounts = 0;   // number of our mounts on top of each other
  int base = 0;     // generation of the layer on which the program was started
  int current = 0;  // generation of the layer that is written to now
};

class SandboxPlaces {
 public:
  /// Mounts everything. `in_user_namespace`: as an ordinary user.
  static Result<SandboxPlaces> create(const SandboxPaths& paths, bool in_user_namespace);

  Result<void> renew();
  Result<void> end_start();
  Result<void> reset();

  /// Why writes to /tmp or to the working directory are not discarded; empty if they are.
  const std::string& why_partly() const { return why_partly_; }

  const std::vector<SandboxPlace>& all() const { return places_; }
  /// Descriptors of what the start wrote (none if nothing), and of what was written later.
  UniqueFd open_start(const SandboxPlace& place) const;
  UniqueFd open_current(const SandboxPlace& place) const;

 private:
  explicit SandboxPlaces(bool in_user_namespace) : in_user_namespace_(in_user_namespace) {}

  Result<void> make_memory();
  Result<std::vector<SandboxPlace>> find(const SandboxPaths& paths) const;
  Result<void> add(SandboxPlace place);
  const SandboxPlace* place_around(std::string_view path) const;
  void explain(const SandboxPlace& place, const Error& error);
  std::string layer(const SandboxPlace& place, std::string_view name) const;
  std::string upper(const SandboxPlace& place, int generation) const;
  bool wrote(const SandboxPlace& place) const;
  /// Also chooses every place inside a chosen one: a new mount would hide it.
  std::vector<bool> with_inner(std::vector<bool> chosen) const;
  Result<void> mount(SandboxPlace& place);
  Result<void> mount_again(SandboxPlace& place);
  Result<void> keep_start(SandboxPlace& place);
  Result<void> unmount(SandboxPlace& place);
  void forget(SandboxPlace& place, int generation);

  bool in_user_namespace_;
  UniqueFd memory_;    // the file system in memory
  std::string meter_;  // where it was mounted
  std::string why_partly_;
  std::vector<SandboxPlace> places_;  // outer ones first
  int generations_ = 0;
};

}  // namespace unravel
