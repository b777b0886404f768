#include "symbolize/type_layout.hpp"

#include <algorithm>
#include <cctype>

#include "symbolize/dwarf_die.hpp"

namespace unravel {
namespace {

// Deeper nesting only occurs in damaged files.
constexpr int kDeepest = 24;

// More pointers in one type are not followed. Chosen by hand.
constexpr std::size_t kMostPointers = 64;

bool is_class(Dwarf_Die die) {
  const int tag = dwarf_tag(&die);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/// A non-static member, or a base class.
struct Member {
  std::string name;  // empty for a base class or an unnamed union
  Dwarf_Die type;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool is_bits = false;
};

bool has_flag(Dwarf_Die die, unsigned name) {
  Dwarf_Attribute attribute;
  bool flag = false;
  return dwarf_attr(&die, name, &attribute) && dwarf_formflag(&attribute, &flag) == 0 && flag;
}

/// Converts the bits of a bit-field to the bytes that hold them.
void set_bits(Dwarf_Die die, Member& member) {
  const auto bits = number_of(die, DW_AT_bit_size);
  if (!bits) return;
  std::uint64_t first = member.offset * 8;
  if (const auto from_start = number_of(die, DW_AT_data_bit_offset)) {
    first = *from_start;
  } else if (const auto from_top = number_of(die, DW_AT_bit_offset)) {
    // DWARF 3 counts from the highest bit of the storage unit.
    const std::uint64_t unit = number_of(die, DW_AT_byte_size).value_or(member.size) * 8;
    first += unit - *from_top - *bits;
  }
  member.is_bits = true;
  member.offset = first / 8;
  member.size = (first + *bits + 7) / 8 - member.offset;
}

std::optional<Member> member_of(Dwarf_Die die) {
  const int tag = dwarf_tag(&die);
  if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return std::nullopt;
  // Static members are not part of the object.
  if (has_flag(die, DW_AT_external) || has_flag(die, DW_AT_declaration)) return std::nullopt;
  const auto type = type_of(die);
  const auto size = type ? size_of(*type) : std::nullopt;
  if (!size) return std::nullopt;
  Member member{.name = tag == DW_TAG_member ? name_of(die) : "",
                .type = *type,
                .offset = 0,
                .size = *size,
                .is_bits = false};
  Dwarf_Attribute attribute;
  if (dwarf_attr(&die, DW_AT_data_member_location, &attribute)) {
    // Only the object itself tells where a virtual base is.
    const auto offset = number_of(die, DW_AT_data_member_location);
    if (!offset) return std::nullopt;
    member.offset = *offset;
  }
  set_bits(die, member);
  return member;
}

std::vector<Member> members_of(Dwarf_Die type) {
  std::vector<Member> members;
  for_each_child(type, [&](Dwarf_Die& child) {
    if (auto member = member_of(child)) members.push_back(std::move(*member));
    return true;
  });
  return members;
}

/// A part on the way up, and what decides whether its path is shown.
struct Found {
  Part part;
  std::uint64_t size = 0;  // of the named part; 0 if the path names nothing
  bool is_library = true;  // all names in it are reserved
};

Found found_at(Dwarf_Die type, std::uint64_t offset, int depth);

Found nothing_at(std::uint64_t offset) {
  return {{offset == 0 ? "" : "+" + std::to_string(offset), std::nullopt}, 0, false};
}

Found in_array(Dwarf_Die array, std::uint64_t offset, int depth) {
  const auto element = type_of(array);
  const auto size = element ? size_of(*element) : std::nullopt;
  if (!size || *size == 0) return nothing_at(offset);
  // A row of a matrix is an array, too, which DWARF does not list as a type.
  std::vector<std::uint64_t> counts;
  for_each_child(array, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return true;
    const auto count = number_of(child, DW_AT_count);
    const auto last = number_of(child, DW_AT_upper_bound);
    counts.push_back(count ? *count : last ? *last + 1 : 0);
    return true;
  });
  std::uint64_t index = offset / *size;
  std::string path;
  for (std::size_t i = counts.size(); i-- > 1;) {
    if (counts[i] == 0) return nothing_at(offset);
    path.insert(0, "[" + std::to_string(index % counts[i]) + "]");
    index /= counts[i];
  }
  path.insert(0, "[" + std::to_string(index) + "]");
  Found found = found_at(*element, offset % *size, depth + 1);
  found.part.path.insert(0, path);
  found.is_library = false;
  return found;
}

Found in_bits(const std::vector<Member>& sharing) {
  if (sharing.size() == 1) return {{"." + sharing[0].name, std::nullopt}, 0, false};
  std::string names;
  for (const Member& member : sharing) names += (names.empty() ? "" : ",") + member.name;
  return {{".{" + names + "}", std::nullopt}, 0, false};
}

Found in_class(Dwarf_Die type, std::uint64_t offset, int depth) {
  std::vector<Member> holding;
  for (Member& member : members_of(type)) {
    if (offset >= member.offset && offset - member.offset < member.size) {
      holding.push_back(std::move(member));
    }
  }
  if (holding.empty()) return nothing_at(offset);
  if (holding.front().is_bits) return in_bits(holding);
  // Empty bases share their byte with a member that has a value.
  const Member* first = &holding.front();
  Found found = found_at(first->type, offset - first->offset, depth + 1);
  for (std::size_t i = 1; i < holding.size() && !found.part.type; ++i) {
    Found other = found_at(holding[i].type, offset - holding[i].offset, depth + 1);
    if (!other.part.type) continue;
    first = &holding[i];
    found = std::move(other);
  }
  found.is_library = found.is_library && (first->name.empty() || is_reserved(first->name));
  if (!first->name.empty()) found.part.path.insert(0, "." + first->name);
  const bool is_wrapper = found.is_library && found.size != 0 && size_of(type) == found.size;
  if (is_wrapper) found.part.path.clear();
  return found;
}

Found found_at(Dwarf_Die type, std::uint64_t offset, int depth) {
  const auto plain = plain_type(type);
  const auto size = size_of(type);
  if (!plain || !size || depth > kDeepest) return nothing_at(offset);
  Dwarf_Die die = *plain;
  if (is_class(die)) return in_class(die, offset, depth);
  if (dwarf_tag(&die) == DW_TAG_array_type) return in_array(die, offset, depth);
  // The second half of a word that was accessed in two halves.
  if (offset != 0) return nothing_at(offset);
  return {{"", type}, *size, true};
}

void append_pointers(Dwarf_Die type, const std::string& path, std::uint64_t offset, int depth,
                     std::vector<PointerPart>& to) {
  if (to.size() >= kMostPointers || depth > kDeepest) return;
  if (auto pointer = as_pointer(type)) {
    to.push_back({path, offset, pointer->target, pointer->is_reference});
    return;
  }
  const auto plain = plain_type(type);
  if (!plain || !is_class(*plain)) return;
  const std::vector<Member> members = members_of(*plain);
  const auto named = [&](std::string_view name) {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const Member& member) { return member.name == name; });
    return found != members.end() ? &*found : nullptr;
  };
  // A std::vector of libstdc++.
  const Member* start = named("_M_start");
  const Member* finish = named("_M_finish");
  if (const auto elements = start && finish ? as_pointer(start->type) : std::nullopt) {
    to.push_back({path, offset + start->offset, elements->target, false, offset + finish->offset});
    return;
  }
  for (const Member& member : members) {
    if (member.is_bits) continue;
    // Private members of a library class are left out: `owner->next`, not `owner._M_ptr->next`.
    const bool is_told = !member.name.empty() && !is_reserved(member.name);
    append_pointers(member.type, is_told ? path + "." + member.name : path, offset + member.offset,
                    depth + 1, to);
  }
}

}  // namespace

bool is_reserved(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0);
}

std::optional<Dwarf_Die> plain_type(Dwarf_Die type) {
  Dwarf_Die plain;
  if (dwarf_peel_type(&type, &plain) != 0) return std::nullopt;
  return plain;
}

std::optional<std::uint64_t> size_of(Dwarf_Die type) {
  const auto plain = plain_type(type);
  if (!plain) return std::nullopt;
  Dwarf_Die die = *plain;
  // Debug information may not say how large a pointer is.
  const int tag = dwarf_tag(&die);
  if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
      tag == DW_TAG_rvalue_reference_type) {
    return sizeof(std::uint64_t);
  }
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&die, &size) != 0) return std::nullopt;
  return size;
}

std::string type_name(Dwarf_Die type) {
  auto plain = plain_type(type);
  for (int depth = 0; plain && dwarf_tag(&*plain) == DW_TAG_array_type && depth < kDeepest;
       ++depth) {
    const auto element = type_of(*plain);
    plain = element ? plain_type(*element) : std::nullopt;
  }
  const std::string name = plain ? name_of(*plain) : "";
  return name.empty() ? name_of(type) : name;
}

Part part_at(Dwarf_Die type, std::uint64_t offset) { return found_at(type, offset, 0).part; }

std::optional<PointerPart> as_pointer(Dwarf_Die type) {
  const auto plain = plain_type(type);
  if (!plain) return std::nullopt;
  Dwarf_Die die = *plain;
  const int tag = dwarf_tag(&die);
  if (tag != DW_TAG_pointer_type && tag != DW_TAG_reference_type &&
      tag != DW_TAG_rvalue_reference_type) {
    return std::nullopt;
  }
  const auto target = type_of(die);
  if (!target) return std::nullopt;
  return PointerPart{"", 0, *target, tag != DW_TAG_pointer_type};
}

std::vector<PointerPart> pointers_in(Dwarf_Die type) {
  std::vector<PointerPart> pointers;
  append_pointers(type, "", 0, 0, pointers);
  return pointers;
}

}  // namespace unravel
