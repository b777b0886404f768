#include "symbolize/variables.hpp"

#include <algorithm>
#include <string_view>

#include "symbolize/dwarf_die.hpp"

namespace unravel {
namespace {

// Callers further out rarely have a better name for the object. Chosen by hand.
constexpr std::size_t kMostFrames = 8;

// How far before a byte to look for its object's vtable pointer. Chosen by hand.
constexpr std::uint64_t kLargestObject = 512;

/// Appends a path to an expression.
std::string joined(const std::string& expression, bool through_pointer, const std::string& path) {
  if (!through_pointer) return expression + path;
  if (path.empty()) return "*" + expression;
  if (path[0] == '.') return expression + "->" + path.substr(1);
  return "(*" + expression + ")" + path;
}

/// Whether a type is a lambda's own object: the source has no `this` for it.
bool is_closure(Dwarf_Die type) {
  const auto plain = plain_type(type);
  if (!plain) return false;
  const std::string name = name_of(*plain);
  if (name.starts_with("<lambda") || name.starts_with("._anon")) return true;
  bool is_callable = false;
  for_each_child(*plain, [&](Dwarf_Die& child) {
    is_callable = dwarf_tag(&child) == DW_TAG_subprogram && name_of(child) == "operator()";
    return !is_callable;
  });
  return name.empty() && is_callable;
}

/// The name of a captured variable: GCC puts two underscores before it.
std::string captured(std::string_view path) {
  if (path.starts_with(".")) path.remove_prefix(1);
  if (path.starts_with("__")) path.remove_prefix(2);
  return std::string(path);
}

/// The captures of a lambda.
std::vector<PointerPart> captures_in(Dwarf_Die closure) {
  std::vector<PointerPart> captures;
  for_each_child(closure, [&](Dwarf_Die& child) {
    const auto type = type_of(child);
    if (dwarf_tag(&child) != DW_TAG_member || !type) return true;
    auto pointer = as_pointer(*type);
    const auto offset = number_of(child, DW_AT_data_member_location);
    if (!pointer || !offset) return true;
    pointer->path = name_of(child);
    pointer->offset = *offset;
    captures.push_back(*pointer);
    return true;
  });
  return captures;
}

}  // namespace

Globals& Variables::globals(const std::string& module) {
  std::unique_ptr<Globals>& found = globals_[module];
  if (!found) found = std::make_unique<Globals>(symbolizer_.debug_info(module));
  return *found;
}

bool Variables::has(const Object& object, std::uint64_t address) {
  const auto size = size_of(object.type);
  return size && address >= object.address && address - object.address < *size;
}

Variable Variables::part_of(const Object& object, std::uint64_t address) {
  const Part part = part_at(object.type, address - object.address);
  Variable variable;
  variable.name.expression = joined(object.expression, object.through_pointer, part.path);
  const std::string type = type_name(object.type);
  variable.name.type = type.empty() ? "" : type + part.path;
  if (part.type) variable.shape = shape_of(*part.type);
  return variable;
}

std::optional<Variable> Variables::find(pid_t pid, std::uint64_t address,
                                        const std::vector<FrameState>& stack,
                                        std::span<const Registers> threads) {
  auto modules = unwinder_.modules(pid);
  if (!modules || !memory_.open(pid)) return std::nullopt;
  modules_ = std::move(*modules);
  std::optional<Variable> found = global(address);
  if (!found) found = on_stack(pid, address, threads);
  if (!found) found = behind_locals(address, stack);
  if (!found) found = with_class(address);
  if (!found) found = behind_globals(address, stack);
  memory_.close();
  return found;
}

std::optional<Variables::Place> Variables::place_of(std::uint64_t address) const {
  const MappedModule* module = modules_.below(address);
  // A file's zeroed memory follows its mapped part, but never extends this far.
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 32;
  if (!module || module->path.empty() || address - module->start > kLargest) return std::nullopt;
  return Place{module->path, address - module->base};
}

std::optional<Variable> Variables::global(std::uint64_t address) {
  const auto place = place_of(address);
  if (!place) return std::nullopt;
  // Every variable has a symbol, and symbols are found without reading all debug information.
  const auto symbol = symbolizer_.debug_info(place->module).data_symbol(place->offset);
  if (!symbol) return std::nullopt;
  Globals& known = globals(place->module);
  const Globals::Variable* variable = known.at(place->offset);
  const bool is_same = variable && variable->offset + symbol->distance == place->offset;
  // A program that is not position-independent has copies of its libraries' variables.
  const Dwarf_Die* type = is_same ? &variable->type : known.type_of_declared(symbol->name);
  if (type) {
    const Object object{symbol->name, false, *type, 0};
    if (has(object, symbol->distance)) return part_of(object, symbol->distance);
  }
  Variable plain;
  plain.name.expression =
      symbol->distance == 0 ? symbol->name : symbol->name + "+" + std::to_string(symbol->distance);
  return plain;
}

std::string Variables::global_name(pid_t pid, std::uint64_t address) {
  auto modules = unwinder_.modules(pid);
  if (!modules) return {};
  modules_ = std::move(*modules);
  const auto found = global(address);
  return found ? found->name.expression : std::string();
}

std::optional<Variable> Variables::on_stack(pid_t pid, std::uint64_t address,
                                            std::span<const Registers> threads) {
  // Stacks grow downwards: if the byte is on a stack, it is the one whose stack pointer is nearest
  // below it.
  const Registers* nearest = nullptr;
  for (const Registers& thread : threads) {
    if (thread.rsp <= address && (!nearest || nearest->rsp < thread.rsp)) nearest = &thread;
  }
  if (!nearest) return std::nullopt;
  const auto stack = unwinder_.walk(pid, *nearest);
  if (!stack) return std::nullopt;
  for (const FrameState& frame : *stack) {
    const auto low = frame.registers[kStackPointer];
    const bool is_here =
        low && frame.frame_address && *low <= address && address < *frame.frame_address;
    if (!is_here || frame.place.module.empty()) continue;
    for (const LocalVariable& local :
         locals_of(symbolizer_.debug_info(frame.place.module), frame, memory_)) {
      const Object object{local.name, false, local.type, local.location.value};
      if (!local.location.in_memory || !has(object, address)) continue;
      // For DWARF, a reference is a pointer variable.
      if (const auto pointer = as_pointer(local.type); pointer && pointer->is_reference) continue;
      Variable variable = part_of(object, address);
      const bool is_lambda = local.function == "operator()";
      variable.name.expression += " in " + (is_lambda ? "a lambda" : local.function + "()");
      return variable;
    }
  }
  return std::nullopt;
}

/// The target of a pointer, if it contains the byte at `address`.
std::optional<Variables::Object> Variables::target_of(const Object& owner,
                                                      const PointerPart& pointer,
                                                      std::uint64_t address) {
  std::uint64_t start = 0;
  if (!memory_.read_word(owner.address + pointer.offset, start) || start == 0) return std::nullopt;
  const std::string expression = joined(owner.expression, owner.through_pointer, pointer.path);
  if (!pointer.end) {
    const Object target{expression, !pointer.is_reference, pointer.target, start};
    return has(target, address) ? std::optional(target) : std::nullopt;
  }
  std::uint64_t end = 0;
  const auto size = size_of(pointer.target);
  if (!memory_.read_word(owner.address + *pointer.end, end) || address < start || address >= end ||
      !size || *size == 0) {
    return std::nullopt;
  }
  const std::uint64_t index = (address - start) / *size;
  return Object{expression + "[" + std::to_string(index) + "]", false, pointer.target,
                start + index * *size};
}

/// The locals of a frame, and what they point to.
std::vector<Variables::Object> Variables::objects_of(const FrameState& frame) {
  std::vector<Object> objects;
  for (const LocalVariable& local :
       locals_of(symbolizer_.debug_info(frame.place.module), frame, memory_)) {
    if (!local.is_set) continue;
    const auto pointer = as_pointer(local.type);
    std::uint64_t target = local.location.value;
    if (!pointer) {
      if (local.location.in_memory) objects.push_back({local.name, false, local.type, target});
      continue;
    }
    if (local.location.in_memory && !memory_.read_word(target, target)) continue;
    objects.push_back({local.name, !pointer->is_reference, pointer->target, target});
  }
  for (std::size_t i = 0, count = objects.size(); i < count; ++i) {
    for (Object& object : captured_by(objects[i])) objects.push_back(std::move(object));
  }
  return objects;
}

/// What a lambda captured by reference, and the targets of pointers that it captured.
std::vector<Variables::Object> Variables::captured_by(const Object& closure) {
  std::vector<Object> objects;
  const auto plain = plain_type(closure.type);
  if (!plain || !is_closure(*plain)) return objects;
  for (const PointerPart& capture : captures_in(*plain)) {
    std::uint64_t target = 0;
    if (!memory_.read_word(closure.address + capture.offset, target)) continue;
    objects.push_back({captured(capture.path), !capture.is_reference, capture.target, target});
  }
  return objects;
}

std::optional<Variable> Variables::behind(const std::vector<Object>& objects,
                                          std::uint64_t address) {
  for (const Object& object : objects) {
    if (!has(object, address)) continue;
    if (!is_closure(object.type)) return part_of(object, address);
    // A captured reference is not the variable that it refers to.
    const Part part = part_at(object.type, address - object.address);
    const auto pointer = part.type ? as_pointer(*part.type) : std::nullopt;
    if (pointer && pointer->is_reference) continue;
    Variable variable = part_of({"", false, object.type, object.address}, address);
    variable.name.expression = captured(variable.name.expression);
    variable.name.type.clear();
    if (!variable.name.expression.empty()) return variable;
  }
  for (const Object& object : objects) {
    for (const PointerPart& pointer : pointers_in(object.type)) {
      if (const auto target = target_of(object, pointer, address)) {
        return part_of(*target, address);
      }
    }
  }
  return std::nullopt;
}

std::optional<Variable> Variables::behind_locals(std::uint64_t address,
                                                 const std::vector<FrameState>& stack) {
  std::size_t looked_at = 0;
  std::optional<Variable> nameless;
  for (const FrameState& frame : stack) {
    if (!is_own(frame)) continue;
    if (auto found = behind(objects_of(frame), address)) {
      found->name.is_local = true;
      // `*address` is the best name only if no caller knows the object around it.
      if (!found->name.expression.starts_with("*")) return found;
      if (!nameless) nameless = std::move(found);
    }
    if (++looked_at == kMostFrames) break;
  }
  return nameless;
}

bool Variables::is_own(const FrameState& frame) {
  const RawFrame& place = frame.place;
  return !place.module.empty() &&
         own_frame(symbolizer_.frames(place.module, place.offset, place.exact));
}

/// The object with a vtable pointer at `slot`, if there is one.
std::optional<Variables::Object> Variables::object_at(std::uint64_t slot) {
  constexpr std::string_view kTable = "vtable for ";
  std::uint64_t table = 0;
  if (!memory_.read_word(slot, table) || table % sizeof table != 0) return std::nullopt;
  const auto place = place_of(table);
  if (!place) return std::nullopt;
  const auto symbol = symbolizer_.debug_info(place->module).data_symbol(place->offset);
  if (!symbol || !symbol->name.starts_with(kTable)) return std::nullopt;
  const std::string name = symbol->name.substr(kTable.size());
  // Heap objects of the library mean nothing to the user.
  if (name.starts_with("std::") || name.starts_with("__gnu_cxx::")) return std::nullopt;
  const Dwarf_Die* type = globals(place->module).class_named(name);
  // The word two before the first function is the offset to the beginning of the whole object.
  std::uint64_t to_top = 0;
  if (!type || !memory_.read_word(table - 2 * sizeof table, to_top)) return std::nullopt;
  return Object{name, false, *type, slot + to_top};
}

std::optional<Variable> Variables::with_class(std::uint64_t address) {
  const std::uint64_t last = address - address % sizeof(std::uint64_t);
  for (std::uint64_t back = 0; back <= kLargestObject && back <= last; back += 8) {
    const auto object = object_at(last - back);
    if (object && has(*object, address)) return part_of(*object, address);
  }
  return std::nullopt;
}

std::optional<Variable> Variables::behind_globals(std::uint64_t address,
                                                  const std::vector<FrameState>& stack) {
  // The callers' globals are the same, except in other libraries.
  const auto own = std::find_if(stack.begin(), stack.end(),
                                [&](const FrameState& frame) { return is_own(frame); });
  if (own == stack.end()) return std::nullopt;
  for (const Globals::Variable* variable : globals(own->place.module).pointers()) {
    const auto pointer = as_pointer(variable->type);
    const Object owner{variable->name, false, variable->type, own->module_base + variable->offset};
    const auto target = pointer ? target_of(owner, *pointer, address) : std::nullopt;
    if (target) return part_of(*target, address);
  }
  return std::nullopt;
}

}  // namespace unravel
