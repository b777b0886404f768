/// A file mapped into memory: programs can be large, and only a few of their pages are needed.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.hpp"

namespace unravel {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::span<const std::byte> bytes_;
};

}  // namespace unravel
