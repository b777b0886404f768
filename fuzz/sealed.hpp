/// Bytes as a stored file has them.
#pragma once

#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// With a right size and checksum, which no mutation would hit upon.
inline std::vector<std::byte> sealed(std::span<const std::byte> bytes) {
  std::vector<std::byte> whole(bytes.begin(), bytes.end());
  if (whole.size() < 32) return whole;
  const auto put = [&](std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) whole[at + i] = static_cast<std::byte>(value >> (8 * i));
  };
  put(16, whole.size());
  put(whole.size() - 8, XXH64(whole.data(), whole.size() - 8, 0));
  return whole;
}
