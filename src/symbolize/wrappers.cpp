#include "symbolize/wrappers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "symbolize/debug_info.hpp"
#include "symbolize/dwarf_die.hpp"
#include "symbolize/system_code.hpp"

namespace unravel {
namespace {

// DWARF's numbers of registers on x86-64.
constexpr int kFramePointer = 6, kStackPointer = 7, kReturnAddress = 16;

// Reading all functions of a file takes about a second per 100 MB of debug information, before the
// first run. In larger files a wrapper stays the site of its calls. Chosen by hand.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20;

// The shortest instruction that calls.
constexpr std::uint64_t kShortestCall = 2;

// Functions begin at multiples of this: a smaller gap between two of them is padding.
constexpr std::uint64_t kSmallestGap = 16;

/// A register's place: how far below the CFA it was saved, or 0 if the function has not changed it.
std::optional<std::uint32_t> saved_at(Dwarf_Frame* frame, int number) {
  Dwarf_Op memory[3];
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(frame, number, memory, &operations, &count) != 0) return std::nullopt;
  if (count == 0 && !operations) return 0;
  if (count != 2 || operations[0].atom != DW_OP_call_frame_cfa ||
      operations[1].atom != DW_OP_plus_uconst) {
    return std::nullopt;
  }
  const auto offset = static_cast<std::int64_t>(operations[1].number);
  if (offset >= 0 || offset < -(std::int64_t{1} << 31)) return std::nullopt;
  return static_cast<std::uint32_t>(-offset);
}

/// The rule of a frame; nothing if it is not one of those that compilers write for functions.
std::optional<WrapperRange> rule_of(Dwarf_Frame* frame) {
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_cfa(frame, &operations, &count) != 0 || count != 1 ||
      operations[0].atom != DW_OP_bregx) {
    return std::nullopt;
  }
  const auto base = static_cast<int>(operations[0].number);
  const auto offset = static_cast<std::int64_t>(operations[0].number2);
  if (base != kFramePointer && base != kStackPointer) return std::nullopt;
  if (offset <= 0 || offset >= std::int64_t{1} << 31) return std::nullopt;
  const auto frame_pointer = saved_at(frame, kFramePointer);
  const auto return_address = saved_at(frame, kReturnAddress);
  if (!frame_pointer || return_address != std::uint32_t{sizeof(void*)}) return std::nullopt;
  return WrapperRange{.kind = base == kStackPointer ? WrapperRange::Kind::kByStack
                                                    : WrapperRange::Kind::kByFramePointer,
                      .offset = static_cast<std::int32_t>(offset),
                      .saved = *frame_pointer};
}

bool has_same_rule(const WrapperRange& one, const WrapperRange& other) {
  return one.kind == other.kind && one.offset == other.offset && one.saved == other.saved;
}

/// Collects the ranges of functions.
class Collector {
 public:
  explicit Collector(DebugInfo& info) : info_(info) {
    tables_[0] = dwfl_module_eh_cfi(info.module(), &biases_[0]);
    tables_[1] = dwfl_module_dwarf_cfi(info.module(), &biases_[1]);
  }

  /// The function from `begin` to `end`, which are offsets.
  void add(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t at = begin; at < end;) {
      std::uint64_t next = end;
      std::optional<WrapperRange> range = rule_at(at, next);
      if (next <= at) return;
      if (range) {
        range->begin = at;
        range->end = std::min(next, end);
        append(*range);
      }
      at = next;
    }
  }

  std::vector<WrapperRange> take() {
    std::sort(found_.begin(), found_.end(),
              [](const WrapperRange& a, const WrapperRange& b) { return a.begin < b.begin; });
    // Functions that the linker found to be the same are told of twice.
    std::uint64_t end = 0;
    std::erase_if(found_, [&](const WrapperRange& range) {
      if (range.begin < end) return true;
      end = range.end;
      return false;
    });
    return std::move(found_);
  }

 private:
  /// Sets `next` to the end of the rule, or of what has none.
  std::optional<WrapperRange> rule_at(std::uint64_t offset, std::uint64_t& next) {
    for (int i = 0; i < 2; ++i) {
      const Dwarf_Addr address = info_.module_address(offset) - biases_[i];
      Dwarf_Frame* frame = nullptr;
      if (!tables_[i] || dwarf_cfi_addrframe(tables_[i], address, &frame) != 0) continue;
      Dwarf_Addr begin = 0;
      Dwarf_Addr end = 0;
      dwarf_frame_info(frame, &begin, &end, nullptr);
      next = offset + (end - address);
      const std::optional<WrapperRange> rule = rule_of(frame);
      std::free(frame);
      return rule;
    }
    return std::nullopt;
  }

  void append(const WrapperRange& range) {
    if (!found_.empty() && found_.back().end == range.begin &&
        has_same_rule(found_.back(), range)) {
      found_.back().end = range.end;
    } else if (range.end - range.begin >= kShortestCall) {
      found_.push_back(range);
    }
  }

  DebugInfo& info_;
  Dwarf_CFI* tables_[2];
  Dwarf_Addr biases_[2] = {};
  std::vector<WrapperRange> found_;
};

struct Stretch {
  std::uint64_t begin;
  std::uint64_t end;
};

/// Whether a header of the language or the system declares a function.
class Declarations {
 public:
  bool are_system(const DebugInfo::Function& function) {
    return declared_by(function.die, function.unit) == By::kSystem;
  }

  /// The code of the program that was inlined into a function, sorted.
  std::vector<Stretch> inlined_own_code(const DebugInfo& info,
                                        const DebugInfo::Function& function) {
    std::vector<Stretch> found;
    collect(info, function.die, function.unit, found);
    std::sort(found.begin(), found.end(),
              [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
    return found;
  }

 private:
  enum class By : std::uint8_t { kNobody, kSystem, kProgram };

  By declared_by(Dwarf_Die die, Dwarf_Die unit) {
    const char* file = declaration_file(die);
    // GCC says of a lambda where its class is, and nothing about its call operator.
    const std::optional<Dwarf_Die> type = file ? std::nullopt : class_of(die);
    if (type) file = declaration_file(*type);
    if (!file) return By::kNobody;
    const auto [known, is_new] = is_system_.try_emplace(file);
    if (is_new) known->second = is_system_file(DebugInfo::full_path(unit, file));
    return known->second ? By::kSystem : By::kProgram;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as inlined calls and blocks are nested
  void collect(const DebugInfo& info, Dwarf_Die parent, Dwarf_Die unit,
               std::vector<Stretch>& found) {
    for_each_child(parent, [&](Dwarf_Die child) {
      const int tag = dwarf_tag(&child);
      const bool is_call = tag == DW_TAG_inlined_subroutine;
      if (is_call && declared_by(child, unit) == By::kProgram) {
        add_code(info, child, found);
      } else if (is_call || tag == DW_TAG_lexical_block) {
        collect(info, child, unit, found);
      }
      return true;
    });
  }

  static void add_code(const DebugInfo& info, Dwarf_Die die, std::vector<Stretch>& found) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
      found.push_back({info.offset_of(begin), info.offset_of(end)});
    }
  }

  std::unordered_map<const char*, bool> is_system_;  // the names live as long as the file
};

/// Fills the gaps of a library of the language: from code without a symbol there is no way to the
/// caller, which mostly is the C library, where threads begin.
std::vector<WrapperRange> with_ends(const std::vector<WrapperRange>& ranges) {
  std::vector<WrapperRange> all;
  std::uint64_t begin = 0;
  const auto fill_up_to = [&](std::uint64_t end) {
    if (end < begin + kSmallestGap) return;
    all.push_back({.begin = begin, .end = end, .kind = WrapperRange::Kind::kEnd});
  };
  for (const WrapperRange& range : ranges) {
    fill_up_to(range.begin);
    all.push_back(range);
    begin = range.end;
  }
  fill_up_to(std::numeric_limits<std::uint64_t>::max());
  return all;
}

}  // namespace

std::vector<WrapperRange> find_wrappers(const std::string& module_path) {
  const SystemModule system = system_module(module_path);
  if (system == SystemModule::kC) {
    return {{.end = std::numeric_limits<std::uint64_t>::max(), .kind = WrapperRange::Kind::kEnd}};
  }
  std::error_code error;
  if (std::filesystem::file_size(module_path, error) > kLargestFile || error) return {};
  DebugInfo info(module_path);
  if (!info.module()) return {};
  Collector collector(info);
  if (system == SystemModule::kNone && info.dwarf()) {
    Declarations declarations;
    info.for_each_function([&](const DebugInfo::Function& function) {
      if (!declarations.are_system(function)) return;
      std::uint64_t begin = function.begin;
      for (const Stretch& own : declarations.inlined_own_code(info, function)) {
        if (begin < own.begin && own.begin < function.end) collector.add(begin, own.begin);
        begin = std::max(begin, own.end);
      }
      if (begin < function.end) collector.add(begin, function.end);
    });
  } else {
    info.for_each_symbol([&](const DebugInfo::FunctionSymbol& symbol) {
      const bool is_wrapper =
          system != SystemModule::kNone || is_system_throughout(demangled(symbol.name));
      if (is_wrapper) collector.add(symbol.begin, symbol.end);
    });
  }
  std::vector<WrapperRange> ranges = collector.take();
  return system == SystemModule::kNone ? ranges : with_ends(ranges);
}

}  // namespace unravel
