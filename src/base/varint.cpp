#include "base/varint.hpp"

#include <string>

namespace unravel {

namespace {

constexpr unsigned kBitsPerByte = 7;
constexpr std::uint64_t kMoreFollow = 0x80;

tl::unexpected<Error> bad_bytes(std::size_t offset, std::string why) {
  return user_error("cannot read the value at byte " + std::to_string(offset), std::move(why));
}

}  // namespace

void append_varint(std::vector<std::byte>& bytes, std::uint64_t value) {
  for (; value >= kMoreFollow; value >>= kBitsPerByte) {
    bytes.push_back(static_cast<std::byte>(value | kMoreFollow));
  }
  bytes.push_back(static_cast<std::byte>(value));
}

Result<std::uint8_t> ByteReader::byte() {
  if (at_end()) return bad_bytes(offset_, "the data ends here");
  return std::to_integer<std::uint8_t>(bytes_[offset_++]);
}

Result<std::uint64_t> ByteReader::varint() {
  std::uint64_t value = 0;
  std::size_t end = offset_;
  for (unsigned shift = 0; shift < 64; shift += kBitsPerByte) {
    if (end == bytes_.size()) return bad_bytes(offset_, "the data ends in the middle of a number");
    const auto byte = std::to_integer<std::uint64_t>(bytes_[end++]);
    const std::uint64_t bits = byte & ~kMoreFollow;
    // The tenth byte has room for one bit.
    if (bits << shift >> shift != bits) return bad_bytes(offset_, "the number is over 64 bits");
    value |= bits << shift;
    if (byte < kMoreFollow) {
      // Each number has one encoding, so equal schedules have equal bytes and hashes.
      if (byte == 0 && shift > 0) return bad_bytes(offset_, "the number has needless zero bytes");
      offset_ = end;
      return value;
    }
  }
  return bad_bytes(offset_, "the number is over 64 bits");
}

Result<std::span<const std::byte>> ByteReader::take(std::uint64_t count) {
  if (count > left()) {
    return bad_bytes(offset_, std::to_string(count) + " bytes are needed and " +
                                  std::to_string(left()) + " are left");
  }
  const auto taken = bytes_.subspan(offset_, static_cast<std::size_t>(count));
  offset_ += taken.size();
  return taken;
}

}  // namespace unravel
