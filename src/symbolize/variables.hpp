/// Memory in the program's own words: which variable, member or element has a byte.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "symbolize/frame_variables.hpp"
#include "symbolize/globals.hpp"
#include "symbolize/type_layout.hpp"
#include "symbolize/unwinder.hpp"
#include "symbolize/value_shape.hpp"

namespace unravel {

struct VariableName {
  std::string expression;  // `config.limit`, `state.ready in main()`, `queue->head_`
  std::string type;        // what it is a part of: `Queue.head_`; empty if that is not known
  bool is_local = false;   // the expression means something in one frame only

  bool operator==(const VariableName&) const = default;
};

struct Variable {
  VariableName name;
  std::optional<ValueShape> shape;  // nothing if its bytes cannot be written as one value
};

/// Looks for names in this order: variables that are there all the time, those on any thread's
/// stack, what pointers in the accessing frame and its callers lead to, objects that tell their
/// class by their table of virtual functions, what pointers among the globals lead to.
class Variables {
 public:
  Variables(Symbolizer& symbolizer, Unwinder& unwinder)
      : symbolizer_(symbolizer), unwinder_(unwinder) {}

  /// What has the byte at `address` of a process that stands still, seen from a thread with this
  /// stack, innermost frame first; `threads` are the registers of all.
  std::optional<Variable> find(pid_t pid, std::uint64_t address,
                               const std::vector<FrameState>& stack,
                               std::span<const Registers> threads);

  /// The same of variables that are there all the time only; empty if it is none of them.
  std::string global_name(pid_t pid, std::uint64_t address);

 private:
  /// Something in memory that has a name.
  struct Object {
    std::string expression;
    bool through_pointer = false;  // the expression is that of a pointer to it
    Dwarf_Die type;
    std::uint64_t address = 0;
  };

  Globals& globals(const std::string& module);
  static bool has(const Object& object, std::uint64_t address);
  static Variable part_of(const Object& object, std::uint64_t address);

  /// A place in the memory of a file: its path, and the offset from its first byte.
  struct Place {
    std::string module;
    std::uint64_t offset = 0;
  };

  std::optional<Place> place_of(std::uint64_t address) const;
  std::optional<Variable> global(std::uint64_t address);
  std::optional<Variable> on_stack(pid_t pid, std::uint64_t address,
                                   std::span<const Registers> threads);
  bool is_own(const FrameState& frame);
  std::vector<Object> objects_of(const FrameState& frame);
  std::optional<Variable> behind(const std::vector<Object>& objects, std::uint64_t address);
  std::optional<Variable> behind_locals(std::uint64_t address,
                                        const std::vector<FrameState>& stack);
  std::optional<Variable> behind_globals(std::uint64_t address,
                                         const std::vector<FrameState>& stack);
  std::optional<Variable> with_class(std::uint64_t address);
  std::optional<Object> object_at(std::uint64_t slot);
  std::optional<Object> target_of(const Object& owner, const PointerPart& pointer,
                                  std::uint64_t address);
  std::vector<Object> captured_by(const Object& closure);

  Symbolizer& symbolizer_;
  Unwinder& unwinder_;
  std::map<std::string, std::unique_ptr<Globals>> globals_;
  // Of the process that is looked at:
  CodeMap modules_;
  ProcessMemory memory_;
};

}  // namespace unravel
