#include "symbolize/debug_info.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/stand_ins.hpp"
#include "symbolize/debug_file.hpp"
#include "symbolize/dwarf_die.hpp"

namespace unravel {
namespace {

std::string text(const char* string) { return string ? string : ""; }

/// Clang names the lambdas of a function $_0, $_1…
std::string with_lambdas(std::string name) {
  for (std::size_t at = 0; (at = name.find("$_", at)) != std::string::npos;) {
    const std::size_t end = std::min(name.find_first_not_of("0123456789", at + 2), name.size());
    name.replace(at, end - at, "{lambda}");
  }
  return name;
}

std::string own_name(Dwarf_Die& die) { return text(dwarf_diename(&die)); }

const char* linkage_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(&die, kind, &attribute)) return dwarf_formstring(&attribute);
  }
  return nullptr;
}

/// The entry that first declared the function of `die`.
Dwarf_Die declaration_of(Dwarf_Die die) {
  // Concrete, abstract, specification: longer chains occur only in broken files.
  for (int steps = 0; steps < 8; ++steps) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
        !dwarf_attr(&die, DW_AT_specification, &attribute)) {
      break;
    }
    if (!dwarf_formref_die(&attribute, &next)) break;
    die = next;
  }
  return die;
}

bool holds_inlined_code(int tag) {
  return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/// `function` and the calls inlined around `address`, outermost first.
std::vector<Dwarf_Die> inlined_calls(Dwarf_Die function, Dwarf_Addr address) {
  std::vector<Dwarf_Die> calls = {function};
  Dwarf_Die scope = function;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for_each_child(scope, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (!holds_inlined_code(tag) || dwarf_haspc(&child, address) != 1) return true;
      if (tag == DW_TAG_inlined_subroutine) calls.push_back(child);
      scope = child;
      deeper = true;
      return false;
    });
  }
  return calls;
}

void set_call_site(Dwarf_Die& inlined, Dwarf_Die& code, Dwarf_Die& lines, Frame& caller) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(&inlined, DW_AT_call_line, &attribute) &&
      dwarf_formudata(&attribute, &value) == 0) {
    caller.line = static_cast<int>(value);
  }
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) &&
      dwarf_formudata(&attribute, &value) == 0 && dwarf_getsrcfiles(&code, &files, &count) == 0 &&
      value < count) {
    caller.file = DebugInfo::full_path(lines, dwarf_filesrc(files, value, nullptr, nullptr));
  }
}

void set_line(Dwarf_Die& unit, Dwarf_Addr address, Frame& frame) {
  Dwarf_Line* line = dwarf_getsrc_die(&unit, address);
  if (!line) return;
  frame.file = DebugInfo::full_path(unit, dwarf_linesrc(line, nullptr, nullptr));
  dwarf_lineno(line, &frame.line);
}

}  // namespace

std::string demangled(const char* name) {
  // C names are not mangled types: `c` would become `char`.
  if (!std::string_view(name).starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return plain ? with_lambdas(plain.get()) : name;
}

// The C library is compiled in relative folders, which add nothing.
std::string DebugInfo::full_path(Dwarf_Die unit, const char* file) {
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  if (!file || !folder || file[0] == '/' || folder[0] != '/') return text(file);
  return (std::filesystem::path(folder) / file).string();
}

DebugInfo::DebugInfo(const std::string& module) {
  const std::string path = file_for(module);
  static char* default_path = nullptr;
  static const Dwfl_Callbacks callbacks = {.find_elf = nullptr,
                                           .find_debuginfo = find_debug_file,
                                           .section_address = dwfl_offline_section_address,
                                           .debuginfo_path = &default_path};
  // Other kinds of files could block, such as a pipe that now has the path of a mapped file.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;

  process_.reset(dwfl_begin(&callbacks));
  if (!process_) return;
  dwfl_report_begin(process_.get());
  module_ = dwfl_report_offline(process_.get(), path.c_str(), path.c_str(), -1);
  dwfl_report_end(process_.get(), nullptr, nullptr);
  Elf* elf = module_ ? dwfl_module_getelf(module_, &bias_) : nullptr;
  if (!elf) {
    module_ = nullptr;
    return;
  }
  read_segments(elf);
  dwarf_ = dwfl_module_getdwarf(module_, &debug_bias_);
  if (dwarf_) read_units(dwarf_);
}

std::vector<Frame> DebugInfo::frames(std::uint64_t offset) {
  std::vector<Frame> frames;
  if (module_) {
    const Dwarf_Addr address = offset + first_byte_ + bias_;
    const Dwarf_Addr in_debug = address - debug_bias_;
    if (Unit* const* unit = find(unit_spans_, in_debug)) frames = source_frames(**unit, in_debug);
    if (frames.empty()) frames.emplace_back();
    if (frames.back().function.empty()) frames.back().function = symbol_name(address);
  }
  if (frames.empty()) frames.emplace_back();
  return frames;
}

std::optional<DebugInfo::Symbol> DebugInfo::data_symbol(std::uint64_t offset) const {
  if (!module_) return std::nullopt;
  GElf_Off distance = 0;
  GElf_Sym symbol;
  const char* name = dwfl_module_addrinfo(module_, offset + first_byte_ + bias_, &distance, &symbol,
                                          nullptr, nullptr, nullptr);
  if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || distance >= symbol.st_size) {
    return std::nullopt;
  }
  std::string plain = demangled(name);
  // Static variables of functions have a number: `cache.3`.
  const std::size_t dot = plain.find_last_not_of("0123456789");
  if (dot != plain.npos && dot > 0 && dot + 1 < plain.size() && plain[dot] == '.') {
    plain.resize(dot);
  }
  return Symbol{std::move(plain), distance};
}

std::optional<DebugInfo::Code> DebugInfo::code_at(std::uint64_t offset) {
  if (!module_) return std::nullopt;
  const Dwarf_Addr address = address_of(offset);
  Unit* const* unit = find(unit_spans_, address);
  if (!unit) return std::nullopt;
  index(**unit);
  const Dwarf_Die* function = find((*unit)->functions, address);
  if (!function) return std::nullopt;
  return Code{*function, address};
}

void DebugInfo::for_each_function(const std::function<void(const Function&)>& visit) {
  for (Unit& unit : units_) {
    index(unit);
    for (const Span<Dwarf_Die>& span : unit.functions) {
      visit({span.what, unit.lines, offset_of(span.low), offset_of(span.high)});
    }
  }
}

void DebugInfo::for_each_symbol(const std::function<void(const FunctionSymbol&)>& visit) const {
  const int count = module_ ? dwfl_module_getsymtab(module_) : 0;
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* name =
        dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (!name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
    const std::uint64_t begin = address - bias_ - first_byte_;
    visit({name, begin, begin + symbol.st_size});
  }
}

template <class T>
const T* DebugInfo::find(const Spans<T>& spans, Dwarf_Addr address) {
  auto after =
      std::upper_bound(spans.begin(), spans.end(), address,
                       [](Dwarf_Addr wanted, const Span<T>& span) { return wanted < span.low; });
  if (after == spans.begin()) return nullptr;
  const Span<T>& span = *--after;
  return address < span.high ? &span.what : nullptr;
}

void DebugInfo::read_segments(Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  std::optional<Dwarf_Addr> first_byte;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(elf, i, &segment) || segment.p_type != PT_LOAD) continue;
    // Segments are sorted by address, so the first has the ELF header.
    if (!first_byte) first_byte = segment.p_vaddr - segment.p_offset;
    if ((segment.p_flags & PF_X) != 0) {
      code_segments_.push_back({segment.p_vaddr, segment.p_vaddr + segment.p_memsz, 0});
    }
  }
  first_byte_ = first_byte.value_or(0);
}

// For functions that they dropped, linkers leave ranges near address 0. These would hide others.
bool DebugInfo::is_code(Dwarf_Addr address) const {
  const Dwarf_Addr in_elf = address + debug_bias_ - bias_;
  return std::any_of(code_segments_.begin(), code_segments_.end(), [&](const Span<int>& segment) {
    return segment.low <= in_elf && in_elf < segment.high;
  });
}

void DebugInfo::append_ranges_of(Dwarf_Die die, Spans<Dwarf_Die>& to) {
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  for (ptrdiff_t next = 0; (next = dwarf_ranges(&die, next, &base, &low, &high)) > 0;) {
    if (low < high && is_code(low)) to.push_back({low, high, die});
  }
}

void DebugInfo::read_units(Dwarf* dwarf) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t kind = 0;
  Dwarf_Die lines;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf, unit, &unit, &version, &kind, &lines, &split) == 0) {
    Spans<Dwarf_Die> ranges;
    append_ranges_of(lines, ranges);
    if (ranges.empty()) continue;
    const bool is_split = kind == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;
    units_.push_back({.lines = lines, .code = is_split ? split : lines, .functions = {}});
    for (const Span<Dwarf_Die>& range : ranges) {
      unit_spans_.push_back({range.low, range.high, &units_.back()});
    }
  }
  std::sort(unit_spans_.begin(), unit_spans_.end(),
            [](const Span<Unit*>& a, const Span<Unit*>& b) { return a.low < b.low; });
}

void DebugInfo::index_functions(Unit& unit, const Scope& scope) {
  for_each_child(scope.die, [&](Dwarf_Die& child) {
    switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram:
        append_ranges_of(child, unit.functions);
        if (scope.parent && dwarf_diename(&child) && !linkage_name(child)) {
          local_names_.emplace(child.addr, name_of(scope) + own_name(child));
        }
        [[fallthrough]];
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_lexical_block: index_functions(unit, {child, &scope}); break;
      default: break;
    }
    return true;
  });
}

std::string DebugInfo::name_of(const Scope& scope) const {
  if (!scope.parent) return "";
  Dwarf_Die die = scope.die;
  if (dwarf_tag(&die) == DW_TAG_subprogram) return function_name(die) + "::";
  if (dwarf_tag(&die) == DW_TAG_lexical_block) return name_of(*scope.parent);
  std::string name = own_name(die);
  if (name.empty()) {
    // A class with functions but no name is a lambda, with rare exceptions in C.
    name = dwarf_tag(&die) == DW_TAG_namespace ? "(anonymous namespace)" : "{lambda}";
  }
  return name_of(*scope.parent) + name + "::";
}

void DebugInfo::index(Unit& unit) {
  if (unit.is_indexed) return;
  index_functions(unit, {unit.code, nullptr});
  std::sort(unit.functions.begin(), unit.functions.end(),
            [](const Span<Dwarf_Die>& a, const Span<Dwarf_Die>& b) { return a.low < b.low; });
  unit.is_indexed = true;
}

std::vector<Frame> DebugInfo::source_frames(Unit& unit, Dwarf_Addr address) {
  index(unit);
  std::vector<Frame> frames(1);
  set_line(unit.lines, address, frames.front());
  const Dwarf_Die* function = find(unit.functions, address);
  if (!function) return frames;

  std::vector<Dwarf_Die> calls = inlined_calls(*function, address);
  for (; !calls.empty(); calls.pop_back()) {
    frames.back().function = function_name(calls.back());
    if (calls.size() == 1) break;
    frames.back().inlined = true;
    Frame& caller = frames.emplace_back();
    set_call_site(calls.back(), unit.code, unit.lines, caller);
  }
  return frames;
}

std::string DebugInfo::function_name(Dwarf_Die die) const {
  if (const char* mangled = linkage_name(die)) return demangled(mangled);
  Dwarf_Die declaration = declaration_of(die);
  const auto local = local_names_.find(declaration.addr);
  return local != local_names_.end() ? local->second : own_name(declaration);
}

std::string DebugInfo::symbol_name(Dwarf_Addr address) const {
  GElf_Off distance = 0;
  GElf_Sym symbol;
  const char* name =
      dwfl_module_addrinfo(module_, address, &distance, &symbol, nullptr, nullptr, nullptr);
  if (!name) return "";
  const std::string plain = demangled(name);
  return plain.substr(0, plain.find(" [clone "));  // parts that the optimiser split off
}

}  // namespace unravel
