/// A directory of the store for one command's temporary files.
#pragma once

#include <filesystem>

#include "base/folder.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

/// The destructor removes it with everything in it. A command that was killed leaves its directory
/// behind, and the next command removes it. It removes only directories that have our kind of name,
/// belong to us, and have our mark. Everything else in `tmp` belongs to somebody else and stays.
class Scratch {
 public:
  static Result<Scratch> make(const std::filesystem::path& store);

  ~Scratch();
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  Scratch(Folder all, std::string name, UniqueFd lock)
      : all_(std::move(all)),
        name_(std::move(name)),
        path_(all_.path() / name_),
        lock_(std::move(lock)) {}

  Folder all_;
  std::string name_;
  std::filesystem::path path_;
  UniqueFd lock_;  // held as long as the directory is in use
};

}  // namespace unravel
