/// One event as the runtime hands it over: an operation that happened.
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
  kNotYet,  // the thread was left before it; only a table says so
};
inline constexpr std::uint64_t kEventResultCount = 4;

struct Event {
  ThreadId thread;
  Clock clock;  // after the operation
  Site site;
  std::uint64_t object = 0;  // address of what it acted on; a thread's ordinal for create and join
  std::uint64_t value = 0;   // error number, thread woken, value of a semaphore
  Operation operation = Operation::kNone;
  EventResult result = EventResult::kDone;
  std::uint8_t reserved[6] = {};

  friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 56);

}  // namespace unravel::wire
