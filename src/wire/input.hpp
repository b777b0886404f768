/// Inputs: what a run got from outside its process, in the order in which it got it.
///
/// The runtime appends entries to the stream `inputs`, in words of eight bytes. A replay from
/// recorded inputs takes them from the channel one after another, and the kernel is not asked. A
/// run makes one step at a time, so there is one order for all threads.
#pragma once

#include <cstdint>

#include "wire/ids.hpp"
#include "wire/operation.hpp"

namespace unravel::wire {

/// Whether the inputs of a run are recorded, or taken from a recording.
enum class InputMode : std::uint8_t { kOff, kRecord, kReplay };

/// Whether inputs also come from the system calls of other code than the runtime: files,
/// directories, and what the C library asks by itself.
enum class CatchCalls : std::uint8_t {
  kNo,
  kIfPossible,  // a kernel that cannot catch calls is no error
  kYes,
};

enum class InputKind : std::uint8_t {
  kNone,      // the end of a record that is not complete; its bytes are a text that says why
  kReceived,  // bytes, an address or a new descriptor came from a descriptor
  kSent,      // bytes went out; the entry has their hash
  kReady,     // which descriptors were ready
  kChild,     // a child's status
  kSignal,    // what a signal from outside says about its sender
  kCall,      // the answer of a system call that was caught; that of prctl: they are caught now
  kFile,      // a file was opened; the entry has what it contains
};
inline constexpr std::uint8_t kInputKindCount = 8;

/// The start of an entry. `size` bytes follow, and padding up to a whole word.
struct InputHead {
  std::uint64_t size = 0;
  std::int64_t result = 0;   // of the call, like that of a system call
  std::uint64_t asked = 0;   // hash of what the call passed on, such as the bytes that were sent
  Clock clock;               // of the thread
  std::uint32_t thread = 0;  // its ordinal
  std::int32_t descriptor = -1;
  InputKind kind = InputKind::kNone;
  Operation operation = Operation::kNone;
  std::uint16_t call = 0;  // kCall, kFile: the number of the system call
  std::uint8_t reserved[4] = {};

  friend bool operator==(const InputHead&, const InputHead&) = default;
};
static_assert(sizeof(InputHead) == 56);

/// The words of an entry with this many bytes.
constexpr std::uint64_t words_of_input(std::uint64_t size) {
  return sizeof(InputHead) / 8 + (size + 7) / 8;
}

}  // namespace unravel::wire
