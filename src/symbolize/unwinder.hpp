#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "symbolize/code_map.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

/// The registers of an x86-64 thread. A thread that parked itself in a call has saved only those
/// that a call preserves. A thread that was interrupted, for example by a fatal signal, has all.
struct Registers {
  std::uint64_t rip = 0, rsp = 0, rbp = 0, rbx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
  bool full = false;  // the other registers are known, too
  std::uint64_t rax = 0, rcx = 0, rdx = 0, rsi = 0, rdi = 0, r8 = 0, r9 = 0, r10 = 0, r11 = 0;
};

/// One frame of a thread's stack, by code address.
struct RawFrame {
  std::string module;        // path as in /proc/PID/maps; "" for code without a file
  std::uint64_t offset = 0;  // address minus the address of the file's first byte
  bool exact = false;        // not a return address: innermost, or interrupted by a signal

  bool operator==(const RawFrame&) const = default;
};

/// DWARF's number of the stack pointer on x86-64.
inline constexpr std::size_t kStackPointer = 7;

/// One frame with its known registers, for code that looks for variables.
struct FrameState {
  RawFrame place;
  std::uint64_t module_base = 0;               // where the first byte of its file is mapped
  std::optional<std::uint64_t> frame_address;  // DWARF's CFA; not known for the outermost frame
  std::array<std::optional<std::uint64_t>, 17> registers;  // by DWARF number
};

/// Walks the stacks of other processes by reading their memory, without ptrace. Caches a program's
/// files for later processes with the same code at the same addresses, such as children forked from
/// one server. Not safe for use by two threads at a time.
class Unwinder {
 public:
  Unwinder();
  ~Unwinder();
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;

  /// The stack of a thread of `pid` with registers `regs`, innermost frame first, at most `most`
  /// frames. It ends where the thread began, or earlier if the stack is damaged. Fails only if the
  /// process is gone or may not be read. The process must be stopped.
  Result<std::vector<RawFrame>> unwind(pid_t pid, const Registers& regs, std::size_t most = 128);

  /// The same, with the registers of each frame.
  Result<std::vector<FrameState>> walk(pid_t pid, const Registers& regs, std::size_t most = 128);

  /// Where the files of a process are mapped.
  Result<CodeMap> modules(pid_t pid);

  /// While it lives, `pid` must be stopped, and its memory map is read only once. The kernel writes
  /// a line for every stack: with thousands of threads, reading the map for each thread takes
  /// minutes.
  class Visit {
   public:
    Visit(Unwinder& unwinder, pid_t pid) : unwinder_(unwinder) { unwinder_.begin_visit(pid); }
    ~Visit() { unwinder_.end_visit(); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    Unwinder& unwinder_;
  };

  /// How often unwind() met a program that was not cached.
  std::size_t opened() const { return opened_; }
  /// How often a memory map was read.
  std::size_t maps_read() const { return maps_read_; }

 private:
  struct Program;
  Result<Program*> program_of(pid_t pid);
  Result<Program*> open_program(pid_t pid);
  void leave(Program& program);
  void begin_visit(pid_t pid);
  void end_visit();

  std::vector<std::unique_ptr<Program>> programs_;  // the most recently used one is first
  std::size_t opened_ = 0;
  std::size_t maps_read_ = 0;
  pid_t visited_pid_ = 0;
  Program* visited_ = nullptr;
};

/// The source-level frames of a stack, innermost first, with inlined calls.
std::vector<Frame> symbolize(Symbolizer& symbolizer, const std::vector<RawFrame>& stack);

}  // namespace unravel
