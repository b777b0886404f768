/// Numbers in as few bytes as possible (LEB128), and a reader for untrusted bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace unravel {

void append_varint(std::vector<std::byte>& bytes, std::uint64_t value);

/// Reads values from the front of a block of memory, never outside it. If a value does not fit, the
/// error names the offset, and the reader does not move.
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
