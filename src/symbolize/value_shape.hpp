/// Formats the bytes of a variable for people.
#pragma once

#include <elfutils/libdw.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace unravel {

/// What is needed of a type to format its values; it outlives the type itself.
struct ValueShape {
  enum class Kind { kUnsigned, kSigned, kBool, kCharacter, kFloat, kPointer, kEnumeration };

  Kind kind = Kind::kUnsigned;
  std::size_t size = 0;  // bytes, at most 8
  bool is_signed = false;
  std::vector<std::pair<std::int64_t, std::string>> names;  // of an enumeration

  bool operator==(const ValueShape&) const = default;
};

/// Nothing if the type is not a single value, or larger than a word.
std::optional<ValueShape> shape_of(Dwarf_Die type);

/// `-1`, `true`, `'a'`, `2.5`, `null`, `0x4052a0`, `kReady`. `bytes` are as many as its size.
std::string value_text(const ValueShape& shape, std::span<const std::byte> bytes);

}  // namespace unravel
