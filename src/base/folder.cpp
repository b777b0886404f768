#include "base/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>

#include "base/assert.hpp"
#include "base/files.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kOursAlone = 0600;
constexpr mode_t kOurDirectory = 0700;

// Deeper than anything we create; anything deeper stays.
constexpr int kDeepest = 64;

constexpr int kDirectoryFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

int open_at(int directory, const char* name, int flags, mode_t mode = 0) {
  int fd = -1;
  do {
    fd = ::openat(directory, name, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

tl::unexpected<Error> refused(std::string_view verb, const fs::path& path, std::string why) {
  return environment_error("cannot " + std::string(verb) + " '" + path.string() + "'",
                           std::move(why),
                           "move it away, or choose another place with --store DIR");
}

/// The error of a call that follows no links.
tl::unexpected<Error> not_opened(std::string_view verb, const fs::path& path, int error) {
  if (error == ELOOP) return refused(verb, path, "it is a symbolic link");
  if (error == ENOTDIR) return refused(verb, path, "it is not a directory");
  if (error == ENXIO) return refused(verb, path, "it is not a regular file");
  return fail(file_error(verb, path, error));
}

/// False, with errno set, if not everything could be written.
bool write_all(int fd, std::span<const std::byte> content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content = content.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool is_single_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos &&
         name.find('\0') == name.npos;
}

/// A new file that is removed unless it is renamed.
class TemporaryFile {
 public:
  TemporaryFile(int directory, const std::string& destination) : directory_(directory) {
    do {
      name_ = destination + "." + std::to_string(::getpid()) + "." +
              std::to_string(next_number_++) + ".tmp";
      fd_.reset(open_at(directory_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL, kOursAlone));
    } while (!fd_ && errno == EEXIST);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_ && !renamed_) ::unlinkat(directory_, name_.c_str(), 0);
  }

  bool created() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }

  bool rename_to(const std::string& destination) {
    renamed_ = ::renameat(directory_, name_.c_str(), directory_, destination.c_str()) == 0;
    return renamed_;
  }

 private:
  static inline std::atomic<unsigned> next_number_ = 0;
  int directory_;
  std::string name_;
  UniqueFd fd_;
  bool renamed_ = false;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

std::vector<std::string> names_in(int directory) {
  std::vector<std::string> names;
  // A separate descriptor: closedir() closes it, and reading moves its position.
  const int again = open_at(directory, ".", kDirectoryFlags);
  const std::unique_ptr<DIR, CloseDirectory> listing(again < 0 ? nullptr : ::fdopendir(again));
  if (!listing) {
    if (again >= 0) ::close(again);
    return names;
  }
  while (const dirent* entry = ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

void remove_tree_at(int directory, const char* name, std::string_view last, int depth) {
  if (depth == 0) return;
  const UniqueFd tree(open_at(directory, name, kDirectoryFlags | O_NOFOLLOW));
  struct stat status {};
  if (!tree || ::fstat(tree.get(), &status) != 0 || status.st_uid != ::geteuid()) return;
  for (const std::string& one : names_in(tree.get())) {
    if (one == last) continue;
    // Everything but a directory is removed at once, symbolic links included.
    if (::unlinkat(tree.get(), one.c_str(), 0) == 0) continue;
    remove_tree_at(tree.get(), one.c_str(), {}, depth - 1);
  }
  if (!last.empty()) ::unlinkat(tree.get(), std::string(last).c_str(), 0);
  ::unlinkat(directory, name, AT_REMOVEDIR);
}

}  // namespace

Result<Folder> Folder::open(const fs::path& path) {
  UniqueFd fd(open_at(AT_FDCWD, path.c_str(), kDirectoryFlags));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) return fail(file_error("open", path, errno));
  return Folder(std::move(fd), path, status.st_uid);
}

Result<Folder> Folder::inside(const std::string& name) const {
  UNRAVEL_ASSERT(is_single_name(name), "a name in a directory is no path");
  const fs::path path = path_ / name;
  UniqueFd fd(open_at(fd_.get(), name.c_str(), kDirectoryFlags | O_NOFOLLOW));
  struct stat status {};
  if (!fd) {
    // With O_DIRECTORY the error for a link is "not a directory", which would be misleading.
    const int error = errno;
    const bool is_link = ::fstatat(fd_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                         S_ISLNK(status.st_mode);
    return not_opened("use", path, is_link ? ELOOP : error);
  }
  if (::fstat(fd.get(), &status) != 0) return fail(file_error("open", path, errno));
  if (!is_trusted(status.st_uid)) return refused("use", path, "it belongs to another user");
  return Folder(std::move(fd), path, status.st_uid);
}

Result<Folder> Folder::make(const std::string& name) const {
  UNRAVEL_ASSERT(is_single_name(name), "a name in a directory is no path");
  if (::mkdirat(fd_.get(), name.c_str(), kOurDirectory) != 0 && errno != EEXIST) {
    return fail(file_error("create directory", path_ / name, errno));
  }
  return inside(name);
}

Result<std::optional<std::vector<std::byte>>> Folder::read(const std::string& name,
                                                           std::size_t most) const {
  UNRAVEL_ASSERT(is_single_name(name), "a name in a directory is no path");
  const fs::path path = path_ / name;
  // Opening a pipe for reading would wait for a writer.
  const UniqueFd file(
      open_at(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!file && errno == ENOENT) return std::optional<std::vector<std::byte>>();
  if (!file) return not_opened("read", path, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return fail(file_error("read", path, errno));
  if (!S_ISREG(status.st_mode)) return refused("read", path, "it is not a regular file");
  if (!is_trusted(status.st_uid)) return refused("read", path, "it belongs to another user");
  Result<std::vector<std::byte>> content = read_descriptor(file.get(), path, most);
  if (!content) return fail(content.error());
  return std::optional(std::move(*content));
}

Result<void> Folder::write(const std::string& name, std::span<const std::byte> content) const {
  UNRAVEL_ASSERT(is_single_name(name), "a name in a directory is no path");
  const fs::path path = path_ / name;
  TemporaryFile temporary(fd_.get(), name);
  if (!temporary.created()) return fail(file_error("create", path, errno));
  if (!write_all(temporary.fd(), content)) return fail(file_error("write", path, errno));
  if (::fsync(temporary.fd()) < 0) return fail(file_error("write", path, errno));
  if (!temporary.rename_to(name)) return fail(file_error("replace", path, errno));
  // A rename is permanent only when the directory itself is on disk. Some file systems cannot sync
  // a directory and return EINVAL; they need no sync.
  if (::fsync(fd_.get()) < 0 && errno != EINVAL) return fail(file_error("write", path_, errno));
  return {};
}

void Folder::remove(const std::string& name) const {
  UNRAVEL_ASSERT(is_single_name(name), "a name in a directory is no path");
  ::unlinkat(fd_.get(), name.c_str(), 0);
}

void Folder::remove_tree(const std::string& name, std::string_view last) const {
  UNRAVEL_ASSERT(is_single_name(name), "a name in a directory is no path");
  remove_tree_at(fd_.get(), name.c_str(), last, kDeepest);
}

std::vector<std::string> Folder::names() const { return names_in(fd_.get()); }

bool Folder::is_trusted(uid_t owner) const {
  return owner == ::geteuid() || owner == owner_ || owner == 0;
}

bool Folder::is_ours() const { return owner_ == ::geteuid(); }

}  // namespace unravel
