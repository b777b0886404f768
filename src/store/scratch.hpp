/// A directory of the store for one command's temporary files.
#pragma once

#include <filesystem>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

/// Removed with everything in it when it goes away. A command that was killed leaves its
/// directory behind; the next one removes it.
class Scratch {
 public:
  static Result<Scratch> make(const std::filesystem::path& store);

  ~Scratch();
  Scratch(Scratch&&) noexcept = default;
  Scratch& operator=(Scratch&&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  Scratch(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  UniqueFd lock_;  // held as long as the directory is in use
};

}  // namespace unravel
