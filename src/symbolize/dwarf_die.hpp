/// Small helpers for entries of debug information.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

namespace unravel {

/// Calls `visit` with each child of `parent`, until it returns false.
template <class Visit>
void for_each_child(Dwarf_Die parent, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    if (!visit(child)) return;
  } while (dwarf_siblingof(&child, &child) == 0);
}

inline std::string name_of(Dwarf_Die die) {
  const char* name = dwarf_diename(&die);
  return name ? name : "";
}

inline std::optional<std::uint64_t> number_of(Dwarf_Die die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (!dwarf_attr_integrate(&die, attribute_name, &attribute) ||
      dwarf_formudata(&attribute, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

/// The type of an entry, or else of its declaration.
inline std::optional<Dwarf_Die> type_of(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (!dwarf_attr_integrate(&die, DW_AT_type, &attribute) ||
      !dwarf_formref_die(&attribute, &type)) {
    return std::nullopt;
  }
  return type;
}

/// The file that declares an entry; nullptr: it is not said. Since DWARF 5 file 0 is the unit's own
/// source, which Clang uses, and dwarf_decl_file takes for none.
inline const char* declaration_file(Dwarf_Die die) {
  if (const char* const file = dwarf_decl_file(&die)) return file;
  Dwarf_Half version = 0;
  Dwarf_Die unit;
  if (number_of(die, DW_AT_decl_file) != std::uint64_t{0} ||
      dwarf_cu_info(die.cu, &version, nullptr, &unit, nullptr, nullptr, nullptr, nullptr) != 0 ||
      version < 5) {
    return nullptr;
  }
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || count == 0) return nullptr;
  return dwarf_filesrc(files, 0, nullptr, nullptr);
}

/// The class of a member function's object, if it has one.
inline std::optional<Dwarf_Die> class_of(Dwarf_Die function) {
  Dwarf_Attribute attribute;
  Dwarf_Die object;
  if (!dwarf_attr_integrate(&function, DW_AT_object_pointer, &attribute) ||
      !dwarf_formref_die(&attribute, &object)) {
    return std::nullopt;
  }
  std::optional<Dwarf_Die> type = type_of(object);
  const auto is_of_other = [&] {  // a pointer or reference to it, or constant
    const int tag = dwarf_tag(&*type);
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_const_type ||
           tag == DW_TAG_volatile_type;
  };
  while (type && is_of_other()) type = type_of(*type);
  return type;
}

}  // namespace unravel
