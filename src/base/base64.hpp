/// Bytes as text that survives a shell, a URL and a file name (RFC 4648 section 5, no padding).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace unravel {

std::string encode_base64(std::span<const std::byte> bytes);

/// Accepts exactly what encode_base64() writes: each byte sequence has one text.
Result<std::vector<std::byte>> decode_base64(std::string_view text);

}  // namespace unravel
