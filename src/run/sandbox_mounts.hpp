/// Mount points, and which of them a new mount must not hide.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.hpp"

namespace unravel {

/// A line of /proc/self/mountinfo. Paths there begin at the root directory of the process.
struct MountPoint {
  std::string path;
  std::string type;  // of its file system

  friend bool operator==(const MountPoint&, const MountPoint&) = default;
};

std::vector<MountPoint> mount_points(std::string_view mountinfo);

/// Whether `path` is `directory` or below it. Both must be absolute and without links.
bool is_in(std::string_view path, std::string_view directory);

/// Whether a file system of this type is an interface to the kernel, such as proc, or to a daemon.
/// It has nothing to copy, and an overlay over it does not work.
bool is_interface(std::string_view type);

/// Opens the topmost mount at a path. No descriptor if the path is no longer a mount point: another
/// mount may have hidden it.
UniqueFd open_mount(const std::string& path);

/// Flags of mount(2) that restrict access: read-only, no programs and so on.
unsigned long restrictions_of(int descriptor);

}  // namespace unravel
