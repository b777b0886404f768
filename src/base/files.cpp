#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/folder.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

// Size of one read() of a file of unknown size; the buffer also grows by this.
constexpr std::size_t kChunk = 64 * 1024;

std::string hint_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return "free some disk space, or choose another place with --store DIR";
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

UniqueFd open_file(const fs::path& path, int flags) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  return UniqueFd(fd);
}

}  // namespace

Error file_error(std::string_view verb, const fs::path& path, int error_number) {
  return {.kind = Error::Kind::kEnvironment,
          .what = "cannot " + std::string(verb) + " '" + path.string() + "'",
          .why = std::generic_category().message(error_number),
          .hint = hint_for(error_number)};
}

Result<std::vector<std::byte>> read_descriptor(int fd, const fs::path& path, std::size_t most) {
  struct stat status {};
  const auto too_large = [&] {
    return user_error("cannot read '" + path.string() + "'",
                      "it has more than " + std::to_string(most >> 20) +
                          " MiB, which is more than unravel reads");
  };
  // Before anything is allocated: a sparse file of a terabyte takes no space on disk.
  if (::fstat(fd, &status) == 0 && static_cast<std::uint64_t>(status.st_size) > most) {
    return too_large();
  }
  std::vector<std::byte> content;
  std::size_t filled = 0;
  while (true) {
    if (filled > most) return too_large();
    if (content.size() - filled < kChunk) {
      content.resize(std::min(content.size() * 2, most) + kChunk);
    }
    const ssize_t count = ::read(fd, content.data() + filled, content.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with_errno("read", path);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  content.resize(filled);
  return content;
}

Result<std::vector<std::byte>> read_file(const fs::path& path, std::size_t most) {
  const UniqueFd file = open_file(path, O_RDONLY);
  if (!file) return fail_with_errno("open", path);
  return read_descriptor(file.get(), path, most);
}

Result<std::string> read_text_file(const fs::path& path, std::size_t most) {
  return read_file(path, most).map([](const std::vector<std::byte>& content) {
    return std::string(reinterpret_cast<const char*>(content.data()), content.size());
  });
}

Result<void> write_file_atomically(const fs::path& path, std::span<const std::byte> content) {
  const Result<Folder> folder =
      Folder::open(path.has_parent_path() ? path.parent_path() : fs::path("."));
  if (!folder) return fail(folder.error());
  return folder->write(path.filename(), content);
}

Result<void> write_file_atomically(const fs::path& path, std::string_view content) {
  return write_file_atomically(path, std::as_bytes(std::span(content)));
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
