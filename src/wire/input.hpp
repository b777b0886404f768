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
enum class InputMode : std::uint8_t {
  kOff,
  kRecord,
  kReplay,  // taken in the recorded order
  kServe,   // taken by stream, under any schedule: see wire/served.hpp
};

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
  kStream,    // the entry has the origin of a stream
  kServed,    // the first entry of a record whose run got its inputs by stream
};
inline constexpr std::uint8_t kInputKindCount = 10;

// Bits of InputHead::call for kReceived.
inline constexpr std::uint16_t kPeeked = 1;      // the bytes stay there for the next call
inline constexpr std::uint16_t kHasMessage = 2;  // a MessageHead comes before the bytes
inline constexpr std::uint16_t kNoRoom = 4;      // the call asked for no bytes

/// What a message has beside its bytes: the address and ancillary data follow.
struct MessageHead {
  std::uint32_t name_size = 0;   // as the kernel told it
  std::uint32_t name_bytes = 0;  // those that there was room for
  std::uint32_t control_bytes = 0;
  std::int32_t flags = 0;
};

/// How a stream came to be. Under another schedule the same stream has the same origin.
enum class OriginKind : std::uint8_t {
  kNone,
  kMade,       // a socket, a pair of sockets or a pipe of the program's own
  kConnected,  // `name`: hash of the address
  kAccepted,   // `name`: hash of the origin of its listener
  kOpened,     // `name`: hash of the path
  kInherited,  // `name`: the descriptor
};

struct StreamOrigin {
  std::uint64_t name = 0;
  std::uint32_t thread = 0;  // the ordinal of the thread that made it
  // How many with the same kind and name came before: of this thread, and of all.
  std::uint32_t before = 0;
  std::uint32_t before_of_all = 0;
  OriginKind kind = OriginKind::kNone;
  std::uint8_t is_message = 0;  // what it carries comes in messages
  std::uint8_t is_socket = 0;
  std::uint8_t reserved = 0;

  friend bool operator==(const StreamOrigin&, const StreamOrigin&) = default;
};
static_assert(sizeof(StreamOrigin) == 24);

/// The beginning of what a run is told that asks for more than was recorded.
inline constexpr char kNotRecorded[] = "the program asked for an input that was not recorded";

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
  std::uint16_t call = 0;    // kCall, kFile: the number of the system call; kReceived: bits
  std::uint32_t stream = 0;  // the number of the stream or file, from 1 on; 0: not known

  friend bool operator==(const InputHead&, const InputHead&) = default;
};
static_assert(sizeof(InputHead) == 56);

/// The words of an entry with this many bytes.
constexpr std::uint64_t words_of_input(std::uint64_t size) {
  return sizeof(InputHead) / 8 + (size + 7) / 8;
}

}  // namespace unravel::wire
