/// Numbers in as few bytes as they need (LEB128), and a reader for bytes nobody vouches for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace unravel {

void append_varint(std::vector<std::byte>& bytes, std::uint64_t value);

/// Takes values from the front of a piece of memory. Never reads outside it: what does not
/// fit is an error that names the offset, and leaves the reader where it was.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  Result<std::uint8_t> byte();
  Result<std::uint64_t> varint();

  /// The next `count` bytes, in the reader's own memory.
  Result<std::span<const std::byte>> take(std::uint64_t count);

  std::size_t offset() const { return offset_; }
  std::size_t left() const { return bytes_.size() - offset_; }
  bool at_end() const { return left() == 0; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;  // at most bytes_.size()
};

}  // namespace unravel
