/// What lies where in a type.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// Without typedefs and qualifiers; nothing for `void`.
std::optional<Dwarf_Die> plain_type(Dwarf_Die type);

/// Bytes; nothing if it is not known, as of a type that is only declared.
std::optional<std::uint64_t> size_of(Dwarf_Die type);

/// `Node`, `int`; of an array that of its elements, of a typedef its own if what it stands for has
/// none. Empty if nothing has.
std::string type_name(Dwarf_Die type);

/// Names that C and C++ keep for their libraries: `_M_impl`, `__data`.
bool is_reserved(std::string_view name);

/// Something inside a type that has a name: a member, an element of an array, or the whole.
struct Part {
  // `.limit`, `[3].head`; empty for the whole. With `+5` behind it where nothing has a name, and
  // `.{ready,done}` where several bit-fields share the byte.
  std::string path;
  std::optional<Dwarf_Die> type;  // nothing if the path ends in such a way
};

/// The innermost part that has the byte at `offset`. Of what the C++ library wraps, such as an
/// atomic, the wrapper is the part: its members are not the program's own words.
Part part_at(Dwarf_Die type, std::uint64_t offset);

/// A pointer or reference inside a type.
struct PointerPart {
  std::string path;  // as of a Part
  std::uint64_t offset = 0;
  Dwarf_Die target;  // type of what it points to
  bool is_reference = false;
  std::optional<std::uint64_t> end = {};  // where the end of the elements is that it leads to
};

/// What a pointer or reference leads to; nothing of other types and of `void*`.
std::optional<PointerPart> as_pointer(Dwarf_Die type);

/// The pointers in a type that is no pointer itself, as deep as its members go; not all of those in
/// arrays.
std::vector<PointerPart> pointers_in(Dwarf_Die type);

}  // namespace unravel
