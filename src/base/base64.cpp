#include "base/base64.hpp"

#include <array>
#include <cstdint>

namespace unravel {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kNotInAlphabet = 0xff;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNotInAlphabet);
  for (std::size_t value = 0; value < kAlphabet.size(); ++value) {
    values[static_cast<unsigned char>(kAlphabet[value])] = static_cast<std::uint8_t>(value);
  }
  return values;
}();

}  // namespace

std::string encode_base64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t pending = 0;  // bits not yet written, in the low end
  int bits = 0;
  for (const std::byte byte : bytes) {
    pending = pending << 8 | std::to_integer<std::uint32_t>(byte);
    for (bits += 8; bits >= 6; bits -= 6) text += kAlphabet[pending >> (bits - 6) & 63];
  }
  if (bits > 0) text += kAlphabet[pending << (6 - bits) & 63];
  return text;
}

Result<std::vector<std::byte>> decode_base64(std::string_view text) {
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t pending = 0;
  int bits = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(text[at])];
    if (value == kNotInAlphabet) {
      return user_error("character " + std::to_string(at + 1) + " of '" + std::string(text) +
                            "' is not a letter, a digit, '-' or '_'",
                        "the text is not base64, or was damaged on its way");
    }
    pending = pending << 6 | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<std::byte>(pending >> bits & 0xff));
    }
  }
  const bool cut_off = bits == 6 || (pending & ((1u << bits) - 1)) != 0;
  if (cut_off) return user_error("'" + std::string(text) + "' ends early", "the text was cut off");
  return bytes;
}

}  // namespace unravel
