#include "run/sandbox_stand_ins.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0755;

/// Hides what this machine has at the same path. The overlay of an ordinary user knows the first
/// name, that of root the second.
void hide_what_is_below(const std::string& layer) {
  ::setxattr(layer.c_str(), "user.overlay.opaque", "y", 1, 0);
  ::setxattr(layer.c_str(), "trusted.overlay.opaque", "y", 1, 0);
}

/// A directory looks like the one of this machine, if there is one.
bool make_like(const std::string& layer, const std::string& real) {
  if (::mkdir(layer.c_str(), kMode) != 0) return false;
  struct stat status {};
  if (::stat(real.c_str(), &status) != 0) return true;
  if (!can_enter(real)) {
    hide_what_is_below(layer);
    return true;
  }
  // An ordinary user cannot change its owner.
  [[maybe_unused]] const int ignored = ::chown(layer.c_str(), status.st_uid, status.st_gid);
  return ::chmod(layer.c_str(), status.st_mode & 07777) == 0;
}

Result<void> copy_into(const std::string& from, const std::string& layer, const std::string& real) {
  if (!make_like(layer, real)) return fail(file_error("create directory", layer, errno));
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(from, error)) {
    const std::string name = "/" + entry.path().filename().string();
    if (entry.is_directory(error)) {
      const auto copied = copy_into(from + name, layer + name, real == "/" ? name : real + name);
      if (!copied) return copied;
    } else if (!fs::copy_file(entry.path(), layer + name, error)) {
      return fail(file_error("copy", entry.path(), error.value()));
    }
  }
  return error ? fail(file_error("read", from, error.value())) : Result<void>();
}

}  // namespace

bool can_enter(const std::string& directory) {
  struct stat status {};
  return ::stat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         ::access(directory.c_str(), R_OK | X_OK) == 0;
}

Result<void> add_places_of(const std::string& stand_ins, const std::string& directory,
                           std::vector<std::string>& places) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(stand_ins, error)) {
    const std::string name = entry.path().filename().string();
    const std::string real = (directory == "/" ? "" : directory) + "/" + name;
    if (entry.is_directory(error) && can_enter(real)) {
      if (auto added = add_places_of(entry.path().string(), real, places); !added) return added;
    } else if (directory == "/") {
      return environment_error("there is no directory " + real + " on this machine");
    } else if (std::find(places.begin(), places.end(), directory) == places.end()) {
      places.push_back(directory);
    }
  }
  return error ? fail(file_error("read", stand_ins, error.value())) : Result<void>();
}

Result<void> copy_stand_ins(const std::string& stand_ins, const std::string& to) {
  return copy_into(stand_ins, to, "/");
}

}  // namespace unravel
