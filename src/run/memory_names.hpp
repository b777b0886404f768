/// One name for each piece of memory, out of what it is called wherever it is used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "symbolize/variables.hpp"

namespace unravel {

/// Rows of a table are compared by names, so one piece of memory has one name in all of them, and
/// no two have the same.
class MemoryNames {
 public:
  void note(std::uint64_t address, const VariableName& name);

  /// Empty if it has none, or is called by names that contradict each other, as memory is that was
  /// freed and used again. Not to be asked before all is noted.
  std::string name(std::uint64_t address) const;

 private:
  std::string alone(std::uint64_t address) const;

  std::map<std::uint64_t, std::vector<VariableName>> called_;
  std::vector<std::uint64_t> order_;  // in which they were met
};

/// `account->lock` of `account->lock.__data.__lock`: a lock has the name of the variable that it
/// is, not of what the C library keeps in it.
VariableName without_reserved(VariableName name);

}  // namespace unravel
