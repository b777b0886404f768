/// Global and static variables, and classes, from the debug information of a file.
#pragma once

#include <elfutils/libdw.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "symbolize/debug_info.hpp"

namespace unravel {

/// Reads a file's debug information once, at the first question.
class Globals {
 public:
  explicit Globals(DebugInfo& debug_info) : debug_info_(debug_info) {}

  struct Variable {
    std::uint64_t offset = 0;  // offset in the file's memory
    std::uint64_t size = 0;
    std::string name;  // with its namespaces, classes and functions
    Dwarf_Die type;
  };

  /// The variable that contains the byte at `offset`, or nullptr.
  const Variable* at(std::uint64_t offset);

  /// The type of a variable that is defined in another file, or nullptr.
  const Dwarf_Die* type_of_declared(const std::string& name);

  /// A class by its name with namespaces, or nullptr.
  const Dwarf_Die* class_named(const std::string& name);

  /// The variables that are pointers.
  const std::vector<const Variable*>& pointers();

 private:
  void read();
  void read_scope(Dwarf_Die scope, const std::string& prefix, int depth);
  void add_variable(Dwarf_Die die, const std::string& prefix);

  DebugInfo& debug_info_;
  bool is_read_ = false;
  std::vector<Variable> variables_;  // sorted by offset
  std::vector<const Variable*> pointers_;
  std::unordered_map<std::string, Dwarf_Die> declared_;
  std::unordered_map<std::string, Dwarf_Die> classes_;
};

}  // namespace unravel
