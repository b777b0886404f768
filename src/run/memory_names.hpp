/// Chooses one name for each piece of memory among the names that it has where it is used.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "symbolize/variables.hpp"

namespace unravel {

/// Rows of a table are compared by names. So each piece of memory has one name in all rows, and no
/// two have the same.
class MemoryNames {
 public:
  void record(std::uint64_t address, const VariableName& name);

  /// Empty if it has no name, or if its names contradict each other, as for memory that was freed
  /// and reused. Call it only after all names were recorded.
  std::string name(std::uint64_t address) const;

 private:
  std::string alone(std::uint64_t address) const;

  std::map<std::uint64_t, std::vector<VariableName>> called_;
  std::vector<std::uint64_t> order_;  // the order in which they were met
};

/// `account->lock` for `account->lock.__data.__lock`: a lock is named after its variable, not after
/// the C library's members.
VariableName without_reserved(VariableName name);

}  // namespace unravel
