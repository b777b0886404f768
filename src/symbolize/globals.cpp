#include "symbolize/globals.hpp"

#include <algorithm>

#include "symbolize/dwarf_die.hpp"
#include "symbolize/location.hpp"
#include "symbolize/type_layout.hpp"

namespace unravel {
namespace {

// Deeper nesting only occurs in damaged files.
constexpr int kDeepest = 64;

bool is_declaration(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  return dwarf_attr(&die, DW_AT_declaration, &attribute) != nullptr;
}

/// The name of the scope that an entry opens, as a prefix; unnamed scopes of C are left out.
std::string scope_name(Dwarf_Die die) {
  const std::string name = name_of(die);
  if (!name.empty()) return dwarf_tag(&die) == DW_TAG_subprogram ? name + "()::" : name + "::";
  return dwarf_tag(&die) == DW_TAG_namespace ? "(anonymous namespace)::" : "";
}

}  // namespace

const Globals::Variable* Globals::at(std::uint64_t offset) {
  read();
  auto after = std::upper_bound(
      variables_.begin(), variables_.end(), offset,
      [](std::uint64_t wanted, const Variable& variable) { return wanted < variable.offset; });
  if (after == variables_.begin()) return nullptr;
  const Variable& variable = *--after;
  return offset - variable.offset < variable.size ? &variable : nullptr;
}

const Dwarf_Die* Globals::type_of_declared(const std::string& name) {
  read();
  const auto found = declared_.find(name);
  return found != declared_.end() ? &found->second : nullptr;
}

const Dwarf_Die* Globals::class_named(const std::string& name) {
  read();
  const auto found = classes_.find(name);
  return found != classes_.end() ? &found->second : nullptr;
}

const std::vector<const Globals::Variable*>& Globals::pointers() {
  read();
  return pointers_;
}

void Globals::read() {
  if (is_read_) return;
  is_read_ = true;
  if (!debug_info_.dwarf()) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t kind = 0;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(debug_info_.dwarf(), unit, &unit, &version, &kind, &die, &split) == 0) {
    const bool is_split = kind == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
    read_scope(is_split ? split : die, "", 0);
  }
  std::sort(variables_.begin(), variables_.end(),
            [](const Variable& a, const Variable& b) { return a.offset < b.offset; });
  for (const Variable& variable : variables_) {
    if (as_pointer(variable.type)) pointers_.push_back(&variable);
  }
}

void Globals::read_scope(Dwarf_Die scope, const std::string& prefix, int depth) {
  if (depth > kDeepest) return;
  for_each_child(scope, [&](Dwarf_Die& child) {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable: add_variable(child, prefix); break;
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        if (!is_declaration(child)) classes_.emplace(prefix + name_of(child), child);
        [[fallthrough]];
      case DW_TAG_namespace:
      case DW_TAG_union_type:
      case DW_TAG_subprogram: read_scope(child, prefix + scope_name(child), depth + 1); break;
      case DW_TAG_lexical_block: read_scope(child, prefix, depth + 1); break;
      default: break;
    }
    return true;
  });
}

void Globals::add_variable(Dwarf_Die die, const std::string& prefix) {
  const auto type = type_of(die);
  const auto size = type ? size_of(*type) : std::nullopt;
  if (!size || *size == 0) return;
  Dwarf_Attribute attribute;
  if (!dwarf_attr(&die, DW_AT_location, &attribute)) {
    if (is_declaration(die)) declared_.emplace(prefix + name_of(die), *type);
    return;
  }
  // Stack variables and thread-local variables have no single address.
  const auto location = locate(attribute, 0, {});
  if (!location || !location->in_memory || location->value == 0) return;
  variables_.push_back({.offset = debug_info_.offset_of(location->value),
                        .size = *size,
                        .name = prefix + name_of(die),
                        .type = *type});
}

}  // namespace unravel
