/// One event as the runtime records it: an operation that happened.
#pragma once

#include <cstdint>

#include "wire/ids.hpp"
#include "wire/operation.hpp"

namespace unravel::wire {

enum class TraceLevel : std::uint8_t { kNone, kSwitches, kSync, kMemory };

enum class EventResult : std::uint8_t {
  kDone,
  kFailed,
  kTimedOut,
  kNotYet,  // the thread was preempted before the operation; only in tables
};
inline constexpr std::uint64_t kEventResultCount = 4;

struct Event {
  ThreadId thread;
  Clock clock;  // the thread's clock after the operation
  Site site;
  std::uint64_t object = 0;  // the object's address; for create and join the thread's ordinal
  std::uint64_t value = 0;   // error number, woken thread, or value of a semaphore
  Operation operation = Operation::kNone;
  EventResult result = EventResult::kDone;
  std::uint8_t reserved[6] = {};

  friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 56);

}  // namespace unravel::wire
