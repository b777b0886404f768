/// Targets: which failures count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/outcome.hpp"

namespace unravel {

/// One of each group that is not empty must fit a failure; groups narrow each other.
struct Targets {
  std::vector<FailureKind> kinds;   // empty: every kind but a timeout
  std::vector<std::string> texts;   // in the failure's detail or the run's error output
  std::vector<std::string> stacks;  // in a function's or file's name of a frame

  /// Whether a failure of this kind may count; what else it must have is known later.
  bool allow(FailureKind kind) const;

  /// Whether a failure counts whose stacks are known. The stack that matters is the failing
  /// thread's; where threads wait for each other, that of every one of them.
  bool match(const Failure& failure, std::string_view error_output) const;

  bool empty() const { return kinds.empty() && texts.empty() && stacks.empty(); }

  friend bool operator==(const Targets&, const Targets&) = default;
};

/// Kinds of failure, `text:WORDS` and `stack:NAME`.
Result<Targets> parse_targets(const std::vector<std::string>& items);

}  // namespace unravel
