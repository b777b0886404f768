#include "symbolize/value_shape.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "symbolize/dwarf_die.hpp"
#include "symbolize/type_layout.hpp"

namespace unravel {
namespace {

using Kind = ValueShape::Kind;

std::optional<Kind> kind_of_base(Dwarf_Die type) {
  const auto encoding = number_of(type, DW_AT_encoding);
  if (!encoding) return std::nullopt;
  switch (*encoding) {
    case DW_ATE_boolean: return Kind::kBool;
    case DW_ATE_signed: return Kind::kSigned;
    case DW_ATE_unsigned: return Kind::kUnsigned;
    case DW_ATE_float: return Kind::kFloat;
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return Kind::kCharacter;
    case DW_ATE_address: return Kind::kPointer;
    default: return std::nullopt;
  }
}

std::optional<Kind> kind_of(Dwarf_Die type) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_base_type: return kind_of_base(type);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return Kind::kPointer;
    case DW_TAG_enumeration_type: return Kind::kEnumeration;
    default: return std::nullopt;
  }
}

void read_names(Dwarf_Die enumeration, ValueShape& shape) {
  for_each_child(enumeration, [&](Dwarf_Die& child) {
    Dwarf_Attribute attribute;
    Dwarf_Sword value = 0;
    if (dwarf_tag(&child) == DW_TAG_enumerator &&
        dwarf_attr(&child, DW_AT_const_value, &attribute) &&
        dwarf_formsdata(&attribute, &value) == 0) {
      shape.names.emplace_back(value, name_of(child));
      shape.is_signed = shape.is_signed || value < 0;
    }
    return true;
  });
}

std::int64_t sign_extended(std::uint64_t word, std::size_t size) {
  const unsigned shift = static_cast<unsigned>(64 - 8 * size);
  return static_cast<std::int64_t>(word << shift) >> shift;
}

std::string character_text(const ValueShape& shape, std::uint64_t word) {
  const bool is_printable = word >= 0x20 && word < 0x7f;
  if (is_printable) return std::string("'") + static_cast<char>(word) + "'";
  return shape.is_signed ? std::to_string(sign_extended(word, shape.size)) : std::to_string(word);
}

std::string enumeration_text(const ValueShape& shape, std::uint64_t word) {
  const std::int64_t value =
      shape.is_signed ? sign_extended(word, shape.size) : static_cast<std::int64_t>(word);
  const auto named = std::find_if(shape.names.begin(), shape.names.end(), [&](const auto& name) {
    // Debug information may store a value as signed or unsigned, whatever its type is.
    return name.first == value || sign_extended(static_cast<std::uint64_t>(name.first),
                                                shape.size) == sign_extended(word, shape.size);
  });
  return named != shape.names.end() ? named->second : std::to_string(value);
}

/// The shortest digits that identify the value.
template <class T>
std::string float_text(std::uint64_t word) {
  T value = 0;
  std::memcpy(&value, &word, sizeof value);
  std::array<char, 64> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string pointer_text(std::uint64_t word) {
  if (word == 0) return "null";
  std::array<char, 16> text;
  const auto result = std::to_chars(text.data(), text.data() + text.size(), word, 16);
  return "0x" + std::string(text.data(), result.ptr);
}

}  // namespace

std::optional<ValueShape> shape_of(Dwarf_Die type) {
  const auto plain = plain_type(type);
  const auto size = size_of(type);
  if (!plain || !size || *size == 0 || *size > sizeof(std::uint64_t)) return std::nullopt;
  const auto kind = kind_of(*plain);
  if (!kind) return std::nullopt;
  if (*kind == Kind::kFloat && *size != sizeof(float) && *size != sizeof(double)) {
    return std::nullopt;
  }
  const auto encoding = number_of(*plain, DW_AT_encoding);
  ValueShape shape{.kind = *kind,
                   .size = *size,
                   .is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char,
                   .names = {}};
  if (*kind == Kind::kEnumeration) read_names(*plain, shape);
  return shape;
}

std::string value_text(const ValueShape& shape, std::span<const std::byte> bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), std::min({bytes.size(), shape.size, sizeof word}));
  switch (shape.kind) {
    case Kind::kUnsigned: return std::to_string(word);
    case Kind::kSigned: return std::to_string(sign_extended(word, shape.size));
    case Kind::kBool: return word > 1 ? std::to_string(word) : word == 1 ? "true" : "false";
    case Kind::kCharacter: return character_text(shape, word);
    case Kind::kFloat:
      return shape.size == sizeof(float) ? float_text<float>(word) : float_text<double>(word);
    case Kind::kPointer: return pointer_text(word);
    case Kind::kEnumeration: return enumeration_text(shape, word);
  }
  __builtin_unreachable();
}

}  // namespace unravel
