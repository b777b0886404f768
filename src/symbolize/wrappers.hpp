/// Which code of a file only wraps what the program calls, and how to get from there to its caller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unravel {

/// A stretch of such code. What unwinders call the CFA is the stack pointer as it was before the
/// call of the function; the return address lies right below it.
struct WrapperRange {
  enum class Kind : std::uint8_t {
    kByStack,         // CFA: the stack pointer and `offset`
    kByFramePointer,  // CFA: the frame pointer (rbp) and `offset`
    kEnd,             // its callers are no code of the program
  };

  std::uint64_t begin = 0;  // offsets from the file's first byte
  std::uint64_t end = 0;
  Kind kind = Kind::kByStack;
  std::int32_t offset = 0;
  std::uint32_t saved = 0;  // how far below the CFA the caller's frame pointer is; 0: unchanged

  friend bool operator==(const WrapperRange&, const WrapperRange&) = default;
};

/// The wrappers of a file, sorted. Wrappers are functions that a header of the language or the
/// system declares, without code of the program that was inlined into them, and all of the
/// libraries that belong to the language: kEnd where these have no symbols. The C library is kEnd
/// as a whole, up to the highest address. Functions without unwind information, or with rules that
/// no compiler writes, are left out. If the file cannot be read, there are none.
std::vector<WrapperRange> find_wrappers(const std::string& module_path);

}  // namespace unravel
