#include "symbolize/location.hpp"

#include <dwarf.h>

#include <vector>

namespace unravel {
namespace {

// Real expressions have a handful; this is a limit for damaged files.
constexpr std::size_t kMostOperations = 200;

/// DWARF's stack machine, with the operations that compilers use for variables in memory or
/// registers.
class Machine {
 public:
  Machine(Dwarf_Attribute& attribute, const Surroundings& around)
      : attribute_(attribute), around_(around) {}

  std::optional<Location> run(Dwarf_Op* operations, std::size_t count) {
    if (count == 0 || count > kMostOperations) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
      Dwarf_Op& op = operations[i];
      const bool is_last = i + 1 == count;
      // A register, or a value without a place, must be the whole expression.
      if (const auto number = register_of(op)) {
        const auto value = register_value(*number);
        return is_last && value ? std::optional(Location{false, *value}) : std::nullopt;
      }
      if (op.atom == DW_OP_stack_value) {
        const auto value = pop();
        return is_last && value ? std::optional(Location{false, *value}) : std::nullopt;
      }
      if (!step(op)) return std::nullopt;
    }
    const auto address = pop();
    if (!address) return std::nullopt;
    return Location{true, *address};
  }

 private:
  static std::optional<std::uint64_t> register_of(const Dwarf_Op& op) {
    if (op.atom >= DW_OP_reg0 && op.atom <= DW_OP_reg31) return op.atom - DW_OP_reg0;
    if (op.atom == DW_OP_regx) return op.number;
    return std::nullopt;
  }

  std::optional<std::uint64_t> register_value(std::uint64_t number) const {
    if (!around_.frame || number >= around_.frame->registers.size()) return std::nullopt;
    return around_.frame->registers[number];
  }

  bool push(std::optional<std::uint64_t> value) {
    if (value) stack_.push_back(*value);
    return value.has_value();
  }

  std::optional<std::uint64_t> pop() {
    if (stack_.empty()) return std::nullopt;
    const std::uint64_t top = stack_.back();
    stack_.pop_back();
    return top;
  }

  bool push_sum(std::optional<std::uint64_t> base, std::uint64_t offset) {
    return push(base ? std::optional(*base + offset) : std::nullopt);
  }

  bool push_indexed_address(Dwarf_Op& op) {
    Dwarf_Attribute pointed;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(&attribute_, &op, &pointed) != 0 ||
        dwarf_formaddr(&pointed, &address) != 0) {
      return false;
    }
    return push(address + around_.shift);
  }

  bool dereference(std::uint64_t size) {
    const auto address = pop();
    std::uint64_t word = 0;
    if (!address || !around_.memory || size > sizeof word) return false;
    if (!around_.memory->read(*address, &word, size)) return false;
    return push(word);
  }

  template <class Combine>
  bool binary(Combine combine) {
    const auto right = pop();
    const auto left = pop();
    return left && right && push(combine(*left, *right));
  }

  bool step(Dwarf_Op& op) {
    if (op.atom >= DW_OP_lit0 && op.atom <= DW_OP_lit31) return push(op.atom - DW_OP_lit0);
    if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31) {
      return push_sum(register_value(op.atom - DW_OP_breg0), op.number);
    }
    switch (op.atom) {
      case DW_OP_nop: return true;
      case DW_OP_addr: return push(op.number + around_.shift);
      case DW_OP_addrx:
      case DW_OP_GNU_addr_index: return push_indexed_address(op);
      case DW_OP_const1u:
      case DW_OP_const1s:
      case DW_OP_const2u:
      case DW_OP_const2s:
      case DW_OP_const4u:
      case DW_OP_const4s:
      case DW_OP_const8u:
      case DW_OP_const8s:
      case DW_OP_constu:
      case DW_OP_consts: return push(op.number);
      case DW_OP_bregx: return push_sum(register_value(op.number), op.number2);
      case DW_OP_fbreg: return push_sum(around_.frame_base, op.number);
      case DW_OP_call_frame_cfa:
        return push(around_.frame ? around_.frame->frame_address : std::nullopt);
      case DW_OP_deref: return dereference(sizeof(std::uint64_t));
      case DW_OP_deref_size: return dereference(op.number);
      case DW_OP_plus_uconst: return push_sum(pop(), op.number);
      case DW_OP_dup: return !stack_.empty() && push(stack_.back());
      case DW_OP_plus: return binary([](auto a, auto b) { return a + b; });
      case DW_OP_minus: return binary([](auto a, auto b) { return a - b; });
      case DW_OP_mul: return binary([](auto a, auto b) { return a * b; });
      case DW_OP_and: return binary([](auto a, auto b) { return a & b; });
      case DW_OP_or: return binary([](auto a, auto b) { return a | b; });
      default: return false;  // entry values, pieces, thread-local memory: not supported
    }
  }

  Dwarf_Attribute& attribute_;
  const Surroundings& around_;
  std::vector<std::uint64_t> stack_;
};

}  // namespace

std::optional<Location> locate(Dwarf_Attribute& location, Dwarf_Addr code,
                               const Surroundings& around) {
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_getlocation_addr(&location, code, &operations, &count, 1) != 1) return std::nullopt;
  return Machine(location, around).run(operations, count);
}

}  // namespace unravel
