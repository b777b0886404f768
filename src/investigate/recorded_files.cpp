#include "investigate/recorded_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>

#include "base/files.hpp"
#include "base/stand_ins.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0755;

/// The path without links of this machine. Parts that do not exist here, or that we may not enter,
/// stay as they are.
fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : real;
}

bool has_content(const fs::path& path, std::string_view content) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) != content.size())
    return false;
  const Result<std::string> there = read_text_file(path, content.size());
  return there && *there == content;
}

}  // namespace

void RecordedFiles::use() const { set_root_of_stand_ins(root()); }

RecordedFiles::~RecordedFiles() {
  if (root_of_stand_ins() == root()) set_root_of_stand_ins({});
}

Result<std::unique_ptr<RecordedFiles>> RecordedFiles::make(const fs::path& store) {
  Result<Scratch> scratch = Scratch::make(store);
  if (!scratch) return fail(scratch.error());
  const Result<Folder> own = Folder::open(scratch->path());
  if (!own) return fail(own.error());
  Result<Folder> root = own->make("root");
  if (!root) return fail(root.error());
  return std::unique_ptr<RecordedFiles>(new RecordedFiles(std::move(*scratch), std::move(*root)));
}

/// Makes the directory below our root, with all that lead to it.
Result<Folder> RecordedFiles::folder_for(const fs::path& directory) {
  std::optional<Folder> folder;
  for (const fs::path& part : directory.relative_path()) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return internal_error("a recorded path leads upwards", directory.string());
    Result<Folder> next = (folder ? *folder : root_).make(part.string());
    if (!next) return next;
    ::fchmod(next->fd(), kMode);
    folder.emplace(std::move(*next));
  }
  if (folder) return std::move(*folder);
  return internal_error("there are no stand-ins for the root directory");
}

Result<void> RecordedFiles::add(const std::string& path, std::string_view content) {
  const fs::path real = real_path(path);
  if (has_content(real, content)) return {};
  const Result<Folder> folder = folder_for(real.parent_path());
  if (!folder) return fail(folder.error());
  const std::string name = real.filename().string();
  const Result<void> written = folder->write(name, std::as_bytes(std::span(content)));
  if (!written) return written;
  if (::fchmodat(folder->fd(), name.c_str(), kMode, 0) != 0) {
    return fail(file_error("make executable", folder->path() / name, errno));
  }
  is_empty_ = false;
  return {};
}

Result<void> RecordedFiles::add_directory(const std::string& path) {
  const Result<Folder> folder = folder_for(real_path(path));
  if (!folder) return fail(folder.error());
  is_empty_ = false;
  return {};
}

}  // namespace unravel
