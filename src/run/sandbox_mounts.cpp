#include "run/sandbox_mounts.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>

namespace unravel {
namespace {

/// Removes the first word from a line and returns it.
std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

bool is_octal(char digit) { return digit >= '0' && digit <= '7'; }

/// Spaces, tabs, newlines and backslashes are written as three octal digits.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) &&
                           is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (is_escape) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

bool is_in(std::string_view path, std::string_view directory) {
  if (!path.starts_with(directory)) return false;
  return path.size() == directory.size() || directory == "/" || path[directory.size()] == '/';
}

std::vector<MountPoint> mount_points(std::string_view mountinfo) {
  constexpr int kWordsBeforePath = 4;
  std::vector<MountPoint> points;
  while (!mountinfo.empty()) {
    std::string_view line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(mountinfo.size(), line.size() + 1));
    for (int word = 0; word < kWordsBeforePath; ++word) take_word(line);
    std::string path = without_escapes(take_word(line));
    // Options and optional fields follow, up to a dash.
    while (!line.empty() && take_word(line) != "-") {
    }
    std::string type = without_escapes(take_word(line));
    if (!path.empty()) points.push_back({std::move(path), std::move(type)});
  }
  return points;
}

bool is_interface(std::string_view type) {
  constexpr std::array<std::string_view, 24> kTypes = {
      "autofs",    "binder",     "binfmt_misc", "bpf",       "cgroup",   "cgroup2",
      "configfs",  "debugfs",    "devpts",      "devtmpfs",  "efivarfs", "fusectl",
      "hugetlbfs", "mqueue",     "nfsd",        "nsfs",      "proc",     "pstore",
      "resctrl",   "rpc_pipefs", "securityfs",  "selinuxfs", "sysfs",    "tracefs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

UniqueFd open_mount(const std::string& path) {
  UniqueFd descriptor(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!descriptor) return {};
  struct statx status {};
  // A file system whose server is gone cannot be queried, but can still be mounted again.
  constexpr int kAsKnown = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  if (::statx(descriptor.get(), "", kAsKnown, 0, &status) != 0) return descriptor;
  const bool is_told = (status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;
  const bool is_root = (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  return is_told && !is_root ? UniqueFd() : std::move(descriptor);
}

unsigned long restrictions_of(int descriptor) {
  struct statvfs status {};
  if (::fstatvfs(descriptor, &status) != 0) return 0;
  unsigned long flags = 0;
  if (status.f_flag & ST_RDONLY) flags |= MS_RDONLY;
  if (status.f_flag & ST_NOSUID) flags |= MS_NOSUID;
  if (status.f_flag & ST_NODEV) flags |= MS_NODEV;
  if (status.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
  return flags;
}

}  // namespace unravel
