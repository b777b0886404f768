/// How a run ended, and why it failed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/frame.hpp"
#include "wire/failure.hpp"

namespace unravel {

/// One run has exactly one outcome; why it failed is its Failure.
enum class Outcome { kPassed, kFailed, kUnresolved, kDiverged, kError };
std::string_view name(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view name);

/// Why a run says nothing about the program: a word for scripts, beside the sentence for people.
enum class Reason {
  kNone,            // it is resolved, or the reason is not known
  kNoSecondThread,  // there is nothing to interleave
  kChildren,        // the same, and there were uncontrolled child processes
  kSkipped,         // the program said so by its exit status
  kLimit,           // it took too long, or stood still
  kUncontrolled,    // something uncontrolled was involved
  kOracle,          // the oracle could not decide
  kNotReproduced,   // a failure was not reproduced in a replay
  kClient,          // the client was not started, or did not end
  kLateDeadline,    // a thread computed for so long that a wait ended later than natively
};
std::string_view name(Reason reason);

using FailureKind = wire::FailureKind;
std::string_view name(FailureKind kind);
std::optional<FailureKind> failure_kind_named(std::string_view name);
/// "assert, signal, … and oracle": for messages.
std::string all_failure_kinds();

/// One live thread at the moment of a failure.
struct ThreadAtFailure {
  std::uint32_t thread = 0;
  std::string state;  // "running", "blocked in lock", …
  Stack stack;

  friend bool operator==(const ThreadAtFailure&, const ThreadAtFailure&) = default;
};

struct Failure {
  FailureKind kind = FailureKind::kExit;
  std::string detail;         // "SIGSEGV", the assertion's text, the cycle T1→m→T2→n→T1
  std::uint32_t thread = 0;   // the thread that failed
  std::optional<Frame> site;  // the innermost frame of the program's own code
  Stack stack;                // of that thread
  std::vector<ThreadAtFailure> threads;
  std::string key;        // equal for the same bug under any interleaving
  bool weak_key = false;  // the place says little, such as an abort inside malloc

  friend bool operator==(const Failure&, const Failure&) = default;
};

}  // namespace unravel
