/// A directory by its descriptor. Files are read, written and removed in this directory, even if
/// its name changes meanwhile.
///
/// No function here follows a symbolic link. Names are single names, not paths.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

class Folder {
 public:
  /// Opens a directory that the user named. Only here may the name be a symbolic link.
  static Result<Folder> open(const std::filesystem::path& path);

  /// Opens a directory in this one. It must belong to us, to the owner of this one, or to root.
  Result<Folder> inside(const std::string& name) const;
  /// The same; creates it, readable by us alone, if it does not exist.
  Result<Folder> make(const std::string& name) const;

  /// The content of a regular file of at most `most` bytes; nothing if there is no such file. It
  /// must belong to us, to the owner of the directory, or to root.
  Result<std::optional<std::vector<std::byte>>> read(const std::string& name,
                                                     std::size_t most) const;
  /// Readers see the old content or the new, never a mixture, even after a power cut. Only we can
  /// read the file.
  Result<void> write(const std::string& name, std::span<const std::byte> content) const;

  /// Removes a file, or a symbolic link itself; no error if it does not exist.
  void remove(const std::string& name) const;
  /// Removes a directory that belongs to us with everything in it; the entry `last` is removed
  /// last.
  void remove_tree(const std::string& name, std::string_view last = {}) const;

  /// In no particular order.
  std::vector<std::string> names() const;

  /// Whether this user made it.
  bool is_ours() const;
  const std::filesystem::path& path() const { return path_; }
  int fd() const { return fd_.get(); }

 private:
  Folder(UniqueFd fd, std::filesystem::path path, uid_t owner)
      : fd_(std::move(fd)), path_(std::move(path)), owner_(owner) {}

  bool is_trusted(uid_t owner) const;

  UniqueFd fd_;
  std::filesystem::path path_;
  uid_t owner_;
};

}  // namespace unravel
