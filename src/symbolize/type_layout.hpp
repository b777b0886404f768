/// The layout of types: which part is at which offset.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// The type without typedefs and qualifiers; nothing for `void`.
std::optional<Dwarf_Die> plain_type(Dwarf_Die type);

/// Size in bytes; nothing if it is not known, as for a type that is only declared.
std::optional<std::uint64_t> size_of(Dwarf_Die type);

/// `Node`, `int`; for an array the name of its element type; for a typedef its own name if its
/// target has none. Empty if there is no name.
std::string type_name(Dwarf_Die type);

/// Names that C and C++ reserve for their libraries: `_M_impl`, `__data`.
bool is_reserved(std::string_view name);

/// A named part of a type: a member, an element of an array, or the whole.
struct Part {
  // `.limit`, `[3].head`; empty for the whole. Ends with `+5` at an offset without a name, and with
  // `.{ready,done}` if several bit-fields share the byte.
  std::string path;
  std::optional<Dwarf_Die> type;  // nothing if the path ends like that
};

/// The innermost part that contains the byte at `offset`. For a wrapper of the C++ library, such as
/// an atomic, the part is the wrapper: its members mean nothing to the user.
Part part_at(Dwarf_Die type, std::uint64_t offset);

/// A pointer or reference inside a type.
struct PointerPart {
  std::string path;  // as in Part
  std::uint64_t offset = 0;
  Dwarf_Die target;  // type of what it points to
  bool is_reference = false;
  std::optional<std::uint64_t> end = {};  // where the pointer to the end of its elements is
};

/// The pointer or reference of this type; nothing for other types and `void*`.
std::optional<PointerPart> as_pointer(Dwarf_Die type);

/// The pointers inside a type that is not a pointer itself, in members of any depth; not all of
/// those in arrays.
std::vector<PointerPart> pointers_in(Dwarf_Die type);

}  // namespace unravel
