/// Names memory as the source does: which variable, member or element contains a byte.
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
  std::string type;        // the type and member: `Queue.head_`; empty if not known
  bool is_local = false;   // the expression is valid in one frame only

  bool operator==(const VariableName&) const = default;
};

struct Variable {
  VariableName name;
  std::optional<ValueShape> shape;  // nothing if it is not a single value
};

/// Looks for names in this order: global and static variables; variables on any thread's stack;
/// targets of pointers in the accessing frame and its callers; objects whose vtable tells their
/// class; targets of global pointers.
class Variables {
 public:
  Variables(Symbolizer& symbolizer, Unwinder& unwinder)
      : symbolizer_(symbolizer), unwinder_(unwinder) {}

  /// The variable at `address` in a stopped process, as seen from a thread with this stack,
  /// innermost frame first. `threads` are the registers of all threads.
  std::optional<Variable> find(pid_t pid, std::uint64_t address,
                               const std::vector<FrameState>& stack,
                               std::span<const Registers> threads);

  /// The same for global and static variables only; empty if there is none.
  std::string global_name(pid_t pid, std::uint64_t address);

 private:
  /// Something in memory with a name.
  struct Object {
    std::string expression;
    bool through_pointer = false;  // the expression is a pointer to it
    Dwarf_Die type;
    std::uint64_t address = 0;
  };

  Globals& globals(const std::string& module);
  static bool has(const Object& object, std::uint64_t address);
  static Variable part_of(const Object& object, std::uint64_t address);

  /// An address in a file's memory: the file's path, and the offset from its first byte.
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
  // Of the current process:
  CodeMap modules_;
  ProcessMemory memory_;
};

}  // namespace unravel
