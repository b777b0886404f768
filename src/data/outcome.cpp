#include "data/outcome.hpp"

#include <array>

namespace unravel {

namespace {

constexpr std::array kOutcomes = {Outcome::kPassed, Outcome::kFailed, Outcome::kUnresolved,
                                  Outcome::kDiverged, Outcome::kError};

constexpr std::array kFailureKinds = {
    FailureKind::kAssert,    FailureKind::kSignal,   FailureKind::kExit,
    FailureKind::kTerminate, FailureKind::kDeadlock, FailureKind::kLostWakeup,
    FailureKind::kLivelock,  FailureKind::kTimeout,  FailureKind::kOracle,
};

template <class Values>
auto find_named(const Values& values, std::string_view wanted)
    -> std::optional<typename Values::value_type> {
  for (const auto value : values) {
    if (name(value) == wanted) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Outcome outcome) {
  switch (outcome) {  // no default: a new outcome must warn here
    case Outcome::kPassed: return "passed";
    case Outcome::kFailed: return "failed";
    case Outcome::kUnresolved: return "unresolved";
    case Outcome::kDiverged: return "diverged";
    case Outcome::kError: return "error";
  }
  __builtin_unreachable();
}

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::kNone: return "other";
    case Reason::kNoSecondThread: return "no-second-thread";
    case Reason::kChildren: return "children";
    case Reason::kSkipped: return "skipped";
    case Reason::kLimit: return "limit";
    case Reason::kUncontrolled: return "uncontrolled";
    case Reason::kOracle: return "oracle";
    case Reason::kNotReproduced: return "not-reproduced";
  }
  __builtin_unreachable();
}

std::optional<Outcome> outcome_named(std::string_view name) { return find_named(kOutcomes, name); }

std::string_view name(FailureKind kind) {
  switch (kind) {
    case FailureKind::kAssert: return "assert";
    case FailureKind::kSignal: return "signal";
    case FailureKind::kExit: return "exit";
    case FailureKind::kTerminate: return "terminate";
    case FailureKind::kDeadlock: return "deadlock";
    case FailureKind::kLostWakeup: return "lost-wakeup";
    case FailureKind::kLivelock: return "livelock";
    case FailureKind::kTimeout: return "timeout";
    case FailureKind::kOracle: return "oracle";
  }
  __builtin_unreachable();
}

std::optional<FailureKind> failure_kind_named(std::string_view name) {
  return find_named(kFailureKinds, name);
}

std::string all_failure_kinds() {
  std::string names;
  for (const FailureKind kind : kFailureKinds) {
    if (!names.empty()) names += kind == kFailureKinds.back() ? " and " : ", ";
    names += name(kind);
  }
  return names;
}

}  // namespace unravel
