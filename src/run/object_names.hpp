/// Names for the objects of operations: "mutex 1", "condition 2", "T3", numbered in the order of a
/// run, so they are the same in every replay; "queue.lock" if the program's own name is known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "run/memory_names.hpp"
#include "wire/operation.hpp"

namespace unravel {

class ObjectNames {
 public:
  /// Empty for operations without an object that needs a name.
  std::string name(wire::Operation operation, std::uint64_t object);

  /// Records the program's own name for the object of an operation.
  void record(wire::Operation operation, std::uint64_t object, const VariableName& name);

 private:
  MemoryNames locks_;  // and other synchronisation objects
  MemoryNames memory_;
  // By kind and address: memory may be a mutex first and a semaphore later.
  std::map<std::pair<std::string_view, std::uint64_t>, unsigned> numbers_;
  std::map<std::string_view, unsigned> last_;
};

/// True if the object of this operation is an address in the program's memory.
bool acts_on_memory(wire::Operation operation);

/// True if the object of this operation is a thread, named by its ordinal.
bool acts_on_thread(wire::Operation operation);

}  // namespace unravel
