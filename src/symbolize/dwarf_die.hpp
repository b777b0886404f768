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

}  // namespace unravel
