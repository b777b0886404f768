#pragma once

#include <elfutils/libdwfl.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolize/symbolizer.hpp"

namespace unravel {

/// The debug information and symbols of one ELF file. Compilation units are found by their own
/// ranges, because Clang writes no .debug_aranges.
class DebugInfo {
 public:
  /// If the file cannot be opened, or is not ELF, all answers are empty.
  explicit DebugInfo(const std::string& path);

  /// The frames at exactly `offset`, innermost first; at least one. Module and offset are left
  /// empty.
  std::vector<Frame> frames(std::uint64_t offset);

  /// The data symbol that contains the byte at `offset`.
  struct Symbol {
    std::string name;            // demangled
    std::uint64_t distance = 0;  // from the symbol's first byte
  };
  std::optional<Symbol> data_symbol(std::uint64_t offset) const;

  /// The function at exactly `offset`, not the calls inlined into it.
  struct Code {
    Dwarf_Die function;
    Dwarf_Addr address;  // in the debug information's address space
  };
  std::optional<Code> code_at(std::uint64_t offset);

  /// A function of the file, by offsets; one that lies in several pieces is several.
  struct Function {
    Dwarf_Die die;
    Dwarf_Die unit;  // with the file names
    std::uint64_t begin;
    std::uint64_t end;
  };
  void for_each_function(const std::function<void(const Function&)>& visit);

  /// A symbol of a function, as in the file.
  struct FunctionSymbol {
    const char* name;  // mangled
    std::uint64_t begin;
    std::uint64_t end;
  };
  void for_each_symbol(const std::function<void(const FunctionSymbol&)>& visit) const;

  /// nullptr if there is none.
  Dwarf* dwarf() const { return dwarf_; }
  /// nullptr if the file cannot be read.
  Dwfl_Module* module() const { return module_; }
  /// The address of an offset for libdwfl.
  Dwarf_Addr module_address(std::uint64_t offset) const { return offset + first_byte_ + bias_; }
  /// `file` of the line table of `unit`, with the folder in which it was compiled.
  static std::string full_path(Dwarf_Die unit, const char* file);
  /// Converts addresses of the debug information to offsets, and back.
  std::uint64_t offset_of(Dwarf_Addr address) const {
    return address + debug_bias_ - bias_ - first_byte_;
  }
  Dwarf_Addr address_of(std::uint64_t offset) const {
    return offset + first_byte_ + bias_ - debug_bias_;
  }

 private:
  template <class T>
  struct Span {
    Dwarf_Addr low;
    Dwarf_Addr high;
    T what;
  };

  // Sorted by `low` before it is searched.
  template <class T>
  using Spans = std::vector<Span<T>>;

  struct Unit {
    Dwarf_Die lines;          // the unit in the file itself: addresses and the line table
    Dwarf_Die code;           // the same unit, or its other half in a .dwo file
    bool is_indexed = false;  // units without a requested address are never read
    Spans<Dwarf_Die> functions;
  };

  // The scope around a declaration, up to the unit, which has no parent.
  struct Scope {
    Dwarf_Die die;
    const Scope* parent;
  };

  struct EndSession {
    void operator()(Dwfl* session) const { dwfl_end(session); }
  };

  template <class T>
  static const T* find(const Spans<T>& spans, Dwarf_Addr address);

  void read_segments(Elf* elf);
  void read_units(Dwarf* dwarf);
  void index_functions(Unit& unit, const Scope& scope);
  std::string name_of(const Scope& scope) const;
  void append_ranges_of(Dwarf_Die die, Spans<Dwarf_Die>& to);
  bool is_code(Dwarf_Addr address) const;

  void index(Unit& unit);
  std::vector<Frame> source_frames(Unit& unit, Dwarf_Addr address);
  std::string function_name(Dwarf_Die die) const;
  std::string symbol_name(Dwarf_Addr address) const;

  std::unique_ptr<Dwfl, EndSession> process_;
  Dwfl_Module* module_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  // An address has three forms: that of libdwfl, of the ELF file (minus bias_) and of the debug
  // information (minus debug_bias_).
  Dwarf_Addr bias_ = 0;
  Dwarf_Addr debug_bias_ = 0;
  Dwarf_Addr first_byte_ = 0;  // the ELF address at which the file's first byte is mapped
  std::vector<Span<int>> code_segments_;
  std::deque<Unit> units_;  // a deque, because unit_spans_ points into it
  Spans<Unit*> unit_spans_;
  // Qualified names of functions without a linkage name, by the address of their entry. GCC gives
  // none to functions that only one unit can see.
  std::unordered_map<const void*, std::string> local_names_;
};

/// A name as people read it.
std::string demangled(const char* name);

}  // namespace unravel
