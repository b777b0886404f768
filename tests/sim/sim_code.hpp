/// A simulated program's steps, taken apart: names become places in a table, blocks become jumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sim_program.hpp"

namespace unravel::sim {

enum class Verb : std::uint8_t {
  kLock,
  kTryLock,
  kUnlock,
  kReadLock,
  kWriteLock,
  kTryReadLock,
  kTryWriteLock,
  kReadWriteUnlock,
  kWait,
  kSignal,
  kBroadcast,
  kSemWait,
  kSemTryWait,
  kPost,
  kBarrier,
  kFutexWait,
  kFutexWake,
  kCreate,
  kJoin,
  kTryJoin,
  kDetach,
  kYield,
  kSleep,
  kStep,
  kRead,
  kWrite,
  kClock,
  kHook,
  kAccess,
  kLoad,
  kStore,
  kCall,
  kSet,
  kAssert,
  kUnless,
  kJump,
  kExit,
  kReceive,
  kTryReceive,
  kReceiveSome,
  kPoll,
  kSignalWait,
  kPause,
  kBlock,
  kUnblock,
};

/// A number, a variable of the program, or one of the thread.
struct Operand {
  enum class Kind : std::uint8_t { kNumber, kShared, kOwn } kind = Kind::kNumber;
  std::int64_t value = 0;  // or its place
};

struct Sum {
  Operand left;
  Operand right;
  int sign = 0;  // of `right`; 0: there is none
};

struct Comparison {
  Sum left;
  std::string sign;
  Sum right;
};

/// One step. Which fields count depends on the verb.
struct Code {
  Verb verb;
  std::uint32_t object = 0;  // place of the first name, or of a thread
  std::uint32_t mutex = 0;
  bool own = false;             // kSet: `object` is one of the thread's own
  std::uint64_t time = kNever;  // for how long at the most
  Sum value;
  Comparison comparison;
  std::uint32_t target = 0;  // of a jump
  std::string text;
};

/// When something happened to a thread, for `fails_if`.
struct Snapshot {
  std::uint32_t thread = 0;
  bool ended = false;
};

struct ThreadCode {
  std::string name;
  std::vector<Code> steps;
  bool created = false;  // by another thread; not there from the start
  std::vector<std::uint32_t> followers = {};
};

inline constexpr std::size_t kMostOwn = 8;    // variables of a thread; [0] is $result
inline constexpr std::size_t kOwnSignal = 1;  // a handler's $signal

inline constexpr std::uint32_t kSignals = ~0u;  // in place of a channel

struct ArrivalCode {
  std::uint32_t channel = kSignals;  // place of the object
  std::int64_t value = 0;
  std::uint64_t at = kNever;
};

struct ProgramCode {
  std::vector<ThreadCode> threads;
  std::vector<std::string> objects;
  std::vector<std::int64_t> start;  // by object
  std::optional<Comparison> fails_if;
  std::optional<std::pair<Snapshot, Snapshot>> fails_if_before;
  std::vector<ArrivalCode> arrivals;
  std::optional<std::size_t> handler;  // its place among the threads
  bool has_child = false;
};

/// Throws std::invalid_argument, with the step, if it cannot be understood.
ProgramCode compile(const SimProgram& program);

}  // namespace unravel::sim
