#include "symbolize/frame_variables.hpp"

#include <algorithm>

#include "symbolize/dwarf_die.hpp"
#include "symbolize/type_layout.hpp"

namespace unravel {
namespace {

/// A function, an inlined call or a block, and the frame's current line in it.
struct Scope {
  Dwarf_Die die;
  std::string function;
  int line = 0;            // 0: not known
  bool is_system = false;  // a library function, whose variables mean nothing to the user
};

bool is_scope(int tag) {
  return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/// The scopes around an address, outermost first. `frames` are the frames there, innermost first.
std::vector<Scope> scopes_around(const DebugInfo::Code& code, const std::vector<Frame>& frames) {
  std::size_t level = frames.size();
  const auto scope_in = [&](Dwarf_Die die) {
    const Frame frame = level > 0 ? frames[--level] : Frame{};
    return Scope{die, name_of(die), frame.line, is_system(frame)};
  };
  std::vector<Scope> scopes = {scope_in(code.function)};
  for (bool deeper = true; deeper;) {
    deeper = false;
    for_each_child(scopes.back().die, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (!is_scope(tag) || dwarf_haspc(&child, code.address) != 1) return true;
      Scope block = scopes.back();
      block.die = child;
      scopes.push_back(tag == DW_TAG_inlined_subroutine ? scope_in(child) : std::move(block));
      deeper = true;
      return false;
    });
  }
  return scopes;
}

enum class Life { kLater, kBegins, kBegan };

/// Without optimisation a variable has a location from the beginning of its function, but holds
/// garbage until it is declared. Location lists begin where the value does.
Life life_of(Dwarf_Die die, Dwarf_Attribute& location, int line) {
  const bool is_list =
      dwarf_whatform(&location) != DW_FORM_exprloc && dwarf_whatform(&location) != DW_FORM_block1;
  const auto declared = number_of(die, DW_AT_decl_line);
  const auto here = static_cast<std::uint64_t>(line);
  if (dwarf_tag(&die) != DW_TAG_variable || is_list || line <= 0 || !declared) return Life::kBegan;
  return *declared > here ? Life::kLater : *declared == here ? Life::kBegins : Life::kBegan;
}

}  // namespace

std::vector<LocalVariable> locals_of(DebugInfo& debug_info, const FrameState& frame,
                                     ProcessMemory& memory) {
  std::vector<LocalVariable> locals;
  const std::uint64_t offset = frame.place.offset - (frame.place.exact ? 0 : 1);
  const auto code = debug_info.code_at(offset);
  if (!code) return locals;
  Surroundings around{
      .frame = &frame, .shift = frame.module_base + debug_info.offset_of(0), .memory = &memory};
  Dwarf_Attribute attribute;
  Dwarf_Die function = code->function;
  if (dwarf_attr(&function, DW_AT_frame_base, &attribute)) {
    if (const auto base = locate(attribute, code->address, around)) around.frame_base = base->value;
  }
  std::vector<Scope> scopes = scopes_around(*code, debug_info.frames(offset));
  std::reverse(scopes.begin(), scopes.end());
  for (const Scope& scope : scopes) {
    if (scope.is_system) continue;
    for_each_child(scope.die, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return true;
      const std::string name = name_of(child);
      const auto type = type_of(child);
      if (name.empty() || is_reserved(name) || !type ||
          !dwarf_attr(&child, DW_AT_location, &attribute))
        return true;
      const Life life = life_of(child, attribute, scope.line);
      if (life == Life::kLater) return true;
      auto location = locate(attribute, code->address, around);
      // At a call, the debug information may still place a variable in an argument register, which
      // is lost. Right behind the call it is in a preserved register.
      if (!location && !frame.place.exact) {
        location = locate(attribute, code->address + 1, around);
      }
      if (location) {
        locals.push_back({name, scope.function, *type, *location, life == Life::kBegan});
      }
      return true;
    });
  }
  return locals;
}

}  // namespace unravel
