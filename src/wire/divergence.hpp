/// What a run did otherwise than its schedule, or its record of inputs, says.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::wire {

enum class DivergenceKind : std::uint8_t {
  kNone,
  kThread,     // another thread can run, or is blocked
  kOperation,  // a thread is about to make another operation
  kEnd,        // a thread or the run ends earlier or later
  kWaiter,     // the thread to wake does not wait
  kOutside,    // something else came from outside, or nothing came
  kInput,      // the program asks for another input than the record has
  kOutput,     // the program sends other bytes
  // Found by comparing the whole runs:
  kOutcome,  // the outcome, or the place of the failure
  kSteps,    // the same outcome after other steps
};
inline constexpr const char* kDivergenceNames[] = {"none",    "thread",  "operation", "end",
                                                   "waiter",  "outside", "input",     "output",
                                                   "outcome", "steps"};
inline constexpr std::size_t kDivergenceKindCount = 10;
static_assert(sizeof kDivergenceNames / sizeof kDivergenceNames[0] == kDivergenceKindCount);

}  // namespace unravel::wire
