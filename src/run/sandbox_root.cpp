#include "run/sandbox_root.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/unique_fd.hpp"
#include "run/sandbox_stand_ins.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

// The new root is built here; what was here comes last.
constexpr const char* kBuilt = "/tmp";
constexpr const char* kOld = "/.unravel-old-root";

constexpr mode_t kMode = 0755;

bool mount_again(const std::string& from, const std::string& to) {
  return ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

/// Shows one entry of the old root in the new one.
bool show(const fs::directory_entry& entry) {
  const std::string from = entry.path().string();
  const std::string to = kBuilt + from;
  std::error_code error;
  const fs::file_status status = entry.symlink_status(error);
  if (fs::is_symlink(status)) {
    const fs::path target = fs::read_symlink(from, error);
    return !error && ::symlink(target.c_str(), to.c_str()) == 0;
  }
  if (fs::is_directory(status)) {
    return ::mkdir(to.c_str(), kMode) == 0 && (from == kBuilt || mount_again(from, to));
  }
  const UniqueFd file(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  return file && mount_again(from, to);
}

Result<void> refused(const std::string& what) {
  return environment_error("cannot make a root directory: " + what, std::strerror(errno));
}

}  // namespace

std::vector<std::string> missing_in_root(const std::string& stand_ins) {
  std::vector<std::string> missing;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(stand_ins, error)) {
    const std::string name = entry.path().filename().string();
    if (!can_enter("/" + name)) missing.push_back(name);
  }
  return missing;
}

Result<void> extend_root(const std::vector<std::string>& names) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator("/", error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(names.begin(), names.end(), name) == names.end()) entries.push_back(entry);
  }
  if (error || ::mount("tmpfs", kBuilt, "tmpfs", 0, "mode=0755") != 0) return refused(kBuilt);
  for (const fs::directory_entry& entry : entries) {
    if (!show(entry)) return refused(entry.path().string());
  }
  for (const std::string& name : names) {
    if (::mkdir((std::string(kBuilt) + "/" + name).c_str(), kMode) != 0) return refused(name);
  }
  const std::string old = std::string(kBuilt) + kOld;
  const bool is_moved =
      ::mkdir(old.c_str(), kMode) == 0 && ::syscall(SYS_pivot_root, kBuilt, old.c_str()) == 0;
  if (!is_moved || ::chdir("/") != 0) return refused("pivot_root");
  // The new root no longer lies over this directory.
  if (!mount_again(std::string(kOld) + kBuilt, kBuilt)) return refused(kBuilt);
  if (::umount2(kOld, MNT_DETACH) != 0 || ::rmdir(kOld) != 0) return refused(kOld);
  return {};
}

}  // namespace unravel
