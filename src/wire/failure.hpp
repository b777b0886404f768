/// Every kind of failure, with its names and texts.
///
/// To add a kind: append it (stored runs refer to kinds by number), add a row to kFailures, record
/// it where it happens, and say in run/failure_key.cpp when two failures of this kind are the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::wire {

enum class FailureKind : std::uint8_t {
  kNone,
  kAssert,
  kSignal,
  kExit,
  kTerminate,
  kDeadlock,
  kLostWakeup,
  kLivelock,
  kTimeout,
  kOracle,
};
inline constexpr std::uint8_t kFailureKindCount = 10;

struct FailureTraits {
  FailureKind kind;
  const char* name;          // in JSON, in the store and on the command line
  const char* title;         // `%t` is the thread, `%d` the detail
  const char* in_column;     // in the thread's column of the table; empty: the detail
  const char* usual_detail;  // if the run recorded no detail
  bool is_standstill;        // something uncontrolled could have let it continue
};

inline constexpr FailureTraits kFailures[] = {
    {FailureKind::kNone, "none", "%d", "", "", false},
    {FailureKind::kAssert, "assert", "assertion failed in %t: %d", "assertion fails", "", false},
    {FailureKind::kSignal, "signal", "%d in %t", "", "", false},
    {FailureKind::kExit, "exit", "%d", "", "", false},
    {FailureKind::kTerminate, "terminate", "terminated by %t: %d", "terminate", "terminate called",
     false},
    {FailureKind::kDeadlock, "deadlock", "deadlock: %d", "deadlock", "all threads are blocked",
     true},
    {FailureKind::kLostWakeup, "lost-wakeup", "lost wake-up: %d", "lost-wakeup",
     "blocked for ever: no thread is left that could wake it", true},
    {FailureKind::kLivelock, "livelock", "livelock: %d", "livelock",
     "threads run on without progress", true},
    {FailureKind::kTimeout, "timeout", "timeout: %d", "out of time", "", false},
    {FailureKind::kOracle, "oracle", "%d", "oracle", "", false},
};

constexpr const FailureTraits& traits(FailureKind kind) {
  return kFailures[static_cast<std::size_t>(kind)];
}

constexpr bool failures_are_in_order() {
  for (std::size_t i = 0; i < kFailureKindCount; ++i) {
    if (static_cast<std::size_t>(kFailures[i].kind) != i) return false;
  }
  return sizeof kFailures / sizeof kFailures[0] == kFailureKindCount;
}
static_assert(failures_are_in_order(), "every kind needs a row, in the order of the kinds");

}  // namespace unravel::wire
