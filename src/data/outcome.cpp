#include "data/outcome.hpp"

#include <array>

namespace unravel {

namespace {

constexpr std::array kOutcomes = {Outcome::kPassed, Outcome::kFailed, Outcome::kUnresolved,
                                  Outcome::kDiverged, Outcome::kError};

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
    case Reason::kClient: return "client";
    case Reason::kLateDeadline: return "late-deadline";
  }
  __builtin_unreachable();
}

std::optional<Outcome> outcome_named(std::string_view name) { return find_named(kOutcomes, name); }

std::string_view name(FailureKind kind) { return wire::traits(kind).name; }

std::optional<FailureKind> failure_kind_named(std::string_view name) {
  for (const wire::FailureTraits& traits : wire::kFailures) {
    if (traits.kind != FailureKind::kNone && traits.name == name) return traits.kind;
  }
  return std::nullopt;
}

std::string all_failure_kinds() {
  std::string names;
  for (std::size_t i = 1; i < wire::kFailureKindCount; ++i) {
    if (!names.empty()) names += i + 1 == wire::kFailureKindCount ? " and " : ", ";
    names += wire::kFailures[i].name;
  }
  return names;
}

}  // namespace unravel
