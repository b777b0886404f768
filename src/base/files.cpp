#include "base/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

#include "base/unique_fd.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

// One read() of a file of unknown size; also what grows the buffer when a file grows.
constexpr std::size_t kChunk = 64 * 1024;

constexpr mode_t kNewFileMode = 0666;  // before the user's umask
constexpr mode_t kOwnersFileMode = 0600;

std::string hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT: return "free some disk space, or choose another place with --store DIR";
    case EROFS: return "the file system is read-only; choose another place with --store DIR";
    case EACCES:
    case EPERM:
      return "check who owns it and its permissions, or choose another place with --store DIR";
    case EMFILE:
    case ENFILE: return "raise the limit on open files (ulimit -n), or use fewer --jobs";
    default: return {};
  }
}

tl::unexpected<Error> fail_with_errno(std::string_view verb, const fs::path& path) {
  return fail(file_error(verb, path, errno));
}

UniqueFd open_file(const fs::path& path, int flags, mode_t mode = kNewFileMode) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return UniqueFd(fd);
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

/// A rename lasts only once the directory that holds the name is on disk too.
Result<void> sync_directory(const fs::path& path) {
  const UniqueFd directory = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!directory) return fail_with_errno("open", path);
  // Some file systems cannot sync a directory and say EINVAL; they need no sync.
  if (::fsync(directory.get()) < 0 && errno != EINVAL) return fail_with_errno("write", path);
  return {};
}

/// A file of a new name beside its destination, gone again unless it was renamed.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& destination, Readable readable) {
    const mode_t mode = readable == Readable::kByOwner ? kOwnersFileMode : kNewFileMode;
    // Not mkstemp(): it ignores the umask and keeps everybody but the owner out.
    do {
      path_ = destination.string() + "." + std::to_string(::getpid()) + "." +
              std::to_string(next_number_++) + ".tmp";
      fd_ = open_file(path_, O_WRONLY | O_CREAT | O_EXCL, mode);
    } while (!fd_ && errno == EEXIST);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_ && !renamed_) ::unlink(path_.c_str());
  }

  bool created() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }

  bool rename_to(const fs::path& destination) {
    renamed_ = ::rename(path_.c_str(), destination.c_str()) == 0;
    return renamed_;
  }

 private:
  static inline std::atomic<unsigned> next_number_ = 0;
  std::string path_;
  UniqueFd fd_;
  bool renamed_ = false;
};

}  // namespace

Error file_error(std::string_view verb, const fs::path& path, int error_number) {
  return {.kind = Error::Kind::kEnvironment,
          .what = "cannot " + std::string(verb) + " '" + path.string() + "'",
          .why = std::generic_category().message(error_number),
          .hint = hint_for(error_number)};
}

Result<std::vector<std::byte>> read_file(const fs::path& path) {
  const UniqueFd file = open_file(path, O_RDONLY);
  if (!file) return fail_with_errno("open", path);
  std::vector<std::byte> content;
  std::size_t filled = 0;
  while (true) {
    if (content.size() - filled < kChunk) content.resize(content.size() * 2 + kChunk);
    const ssize_t count = ::read(file.get(), content.data() + filled, content.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with_errno("read", path);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  content.resize(filled);
  return content;
}

Result<std::string> read_text_file(const fs::path& path) {
  return read_file(path).map([](const std::vector<std::byte>& content) {
    return std::string(reinterpret_cast<const char*>(content.data()), content.size());
  });
}

Result<void> write_file_atomically(const fs::path& path, std::span<const std::byte> content,
                                   Readable readable) {
  TemporaryFile temporary(path, readable);
  if (!temporary.created()) return fail_with_errno("create", path);
  if (!write_all(temporary.fd(), content)) return fail_with_errno("write", path);
  if (::fsync(temporary.fd()) < 0) return fail_with_errno("write", path);
  if (!temporary.rename_to(path)) return fail_with_errno("replace", path);
  return sync_directory(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

Result<void> write_file_atomically(const fs::path& path, std::string_view content) {
  return write_file_atomically(path, std::as_bytes(std::span(content)));
}

Result<void> append_to_file(const fs::path& path, std::span<const std::byte> content) {
  const UniqueFd file = open_file(path, O_WRONLY | O_CREAT | O_APPEND);
  if (!file) return fail_with_errno("open", path);
  if (!write_all(file.get(), content)) return fail_with_errno("write", path);
  return {};
}

Result<void> append_to_file(const fs::path& path, std::string_view content) {
  return append_to_file(path, std::as_bytes(std::span(content)));
}

Result<void> ensure_directory(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(file_error("create directory", path, error.value()));
  if (!fs::is_directory(path, error)) {
    return fail(file_error("create directory", path, ENOTDIR));
  }
  return {};
}

}  // namespace unravel
