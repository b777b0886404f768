#include "run/spin_loop.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "run/failure_stacks.hpp"
#include "run/program_state.hpp"
#include "run/stepped_thread.hpp"
#include "symbolize/code_map.hpp"

namespace unravel {
namespace {

// Loops that wait are short. A step takes some microseconds, so a check takes at most a hundredth
// of a second. Chosen by hand.
constexpr int kMostSteps = 2000;

// The length of the longest instruction, in bytes.
constexpr std::size_t kLongestInstruction = 15;

/// The kinds of code that matter here.
enum class Code { kProgram, kLibc, kRuntime, kOther };

/// Where the code of a process is, except the kernel's.
class Places {
 public:
  explicit Places(pid_t process) {
    const auto maps = read_text_file(folder_of_memory(process) + "/maps");
    if (maps) map_ = read_code_map(*maps);
  }
  Code at(std::uint64_t address) const {
    const MappedModule* module = map_.below(address);
    if (!module || address >= module->end) return Code::kOther;
    const std::string_view path = module->path;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (!path.starts_with('/')) return Code::kOther;
    if (name == "libunravel-rt.so") return Code::kRuntime;
    const bool is_libc = name.starts_with("libc.so") || name.starts_with("ld-linux");
    return is_libc ? Code::kLibc : Code::kProgram;
  }

 private:
  CodeMap map_;
};

/// Whether an instruction depends on something other than memory and registers: the kernel, a
/// clock, a source of random numbers.
bool asks_elsewhere(std::span<const std::byte> code) {
  std::size_t at = 0;
  const auto byte = [&code, &at](std::size_t offset) {
    return at + offset < code.size() ? std::to_integer<unsigned>(code[at + offset]) : 0u;
  };
  constexpr std::array<unsigned, 11> kPrefixes = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                                  0x66, 0x67, 0xf0, 0xf2, 0xf3};
  while (std::find(kPrefixes.begin(), kPrefixes.end(), byte(0)) != kPrefixes.end() ||
         (byte(0) & 0xf0) == 0x40) {
    ++at;
  }
  constexpr std::array<unsigned, 4> kFirst = {0x9c, 0xcc, 0xcd, 0xf1};  // pushf, int
  if (std::find(kFirst.begin(), kFirst.end(), byte(0)) != kFirst.end()) return true;
  if ((byte(0) & 0xfc) == 0x6c || (byte(0) & 0xfc) == 0xe4 || (byte(0) & 0xfc) == 0xec) {
    return true;  // in, out
  }
  if (byte(0) != 0x0f) return false;
  constexpr std::array<unsigned, 7> kSecond = {0x05, 0x07, 0x31, 0x33, 0x34, 0x35, 0xa2};
  if (std::find(kSecond.begin(), kSecond.end(), byte(1)) != kSecond.end()) return true;
  const unsigned operation = byte(2) >> 3 & 7;
  if (byte(1) == 0xc7) return operation >= 6;          // rdrand, rdseed, rdpid
  return byte(1) == 0x01 && (byte(2) & 0xc0) == 0xc0;  // rdtscp, xgetbv, transactions and the like
}

bool is_same(const user_regs_struct& one, const user_regs_struct& other) {
  // The flags for single-stepping and for resuming are not the program's.
  constexpr unsigned long long kOfStepping = 0x100 | 0x10000;
  const auto all = [](const user_regs_struct& r) {
    return std::array{r.r15, r.r14, r.r13,     r.r12,     r.rbp,
                      r.rbx, r.r11, r.r10,     r.r9,      r.r8,
                      r.rax, r.rcx, r.rdx,     r.rsi,     r.rdi,
                      r.rip, r.rsp, r.fs_base, r.gs_base, r.eflags & ~kOfStepping};
  };
  return all(one) == all(other);
}

/// A thread's way through a loop.
class Loop {
 public:
  Loop(SteppedThread& thread, pid_t process)
      : thread_(thread), process_(process), places_(process) {}

  /// Steps until the registers have their present values again. Returns false if that does not
  /// happen soon, or if an instruction on the way could have another result by itself.
  bool go_round() {
    const user_regs_struct begin = thread_.registers();
    for (int steps = 0; steps < kMostSteps; ++steps) {
      const std::uint64_t place = thread_.registers().rip;
      if (!is_plain(place) || !thread_.step()) return false;
      const Code code = places_.at(place);
      if (code == Code::kProgram) first_ = std::min(first_, place);
      if (code == Code::kRuntime) memory_ = Memory::kWithRuntime;
      if (is_same(thread_.registers(), begin)) return true;
    }
    return false;
  }

  /// Most functions that the runtime provides, such as strcmp(), do not change its own memory. If
  /// one does, the loop does more than read.
  Memory memory() const { return memory_; }

  /// Steps to the loop's instruction with the lowest address: the same one wherever the thread was
  /// stopped.
  bool go_to_first() {
    for (int steps = 0; steps < kMostSteps; ++steps) {
      if (thread_.registers().rip == first_) return true;
      if (!is_plain(thread_.registers().rip) || !thread_.step()) return false;
    }
    return false;
  }

  /// Steps until the thread is in code of the program, where it holds no lock of libc.
  bool leave_libc() {
    for (int steps = 0; steps < kMostSteps; ++steps) {
      const Code code = places_.at(thread_.registers().rip);
      if (code == Code::kProgram) return true;
      if (code == Code::kOther || !is_plain(thread_.registers().rip) || !thread_.step())
        return false;
    }
    return false;
  }

 private:
  bool is_plain(std::uint64_t place) {
    if (std::binary_search(plain_.begin(), plain_.end(), place)) return true;
    if (places_.at(place) == Code::kOther) return false;
    const auto code = StackReader::read(process_, place, kLongestInstruction);
    if (code.empty() || asks_elsewhere(code)) return false;
    plain_.insert(std::upper_bound(plain_.begin(), plain_.end(), place), place);
    return true;
  }

  SteppedThread& thread_;
  pid_t process_;
  Places places_;
  Memory memory_ = Memory::kOfProgram;
  std::uint64_t first_ = ~std::uint64_t{0};
  std::vector<std::uint64_t> plain_;  // addresses of instructions that were checked, in order
};

}  // namespace

bool leave_spin_loop(pid_t process, pid_t kernel_thread, bool is_own_child, std::uint64_t entry) {
  SteppedThread thread(process, kernel_thread, is_own_child);
  if (!thread.is_stopped()) return false;
  Loop loop(thread, process);
  if (!loop.leave_libc() || !loop.go_round() || !loop.go_to_first()) return false;
  // The registers are the same. If memory also stays the same for another round, it does so for
  // ever.
  constexpr std::uint64_t kRedZone = 128;
  const std::vector<std::uint64_t> stack = {thread.registers().rsp - kRedZone};
  const std::vector<char> vectors = thread.vectors();
  const auto memory = memory_of(process, loop.memory(), stack);
  if (!memory || vectors.empty() || !loop.go_round()) return false;
  if (memory_of(process, loop.memory(), stack) != memory || thread.vectors() != vectors)
    return false;
  return thread.send_to(entry);
}

}  // namespace unravel
