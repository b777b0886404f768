/// Targets: which failures count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/outcome.hpp"

namespace unravel {

/// A failure counts if it matches one entry of each group that is not empty.
struct Targets {
  std::vector<FailureKind> kinds;   // empty: every kind but a timeout
  std::vector<std::string> texts;   // in the failure's detail or the run's standard error
  std::vector<std::string> stacks;  // in the function or file name of a frame

  /// Whether a failure of this kind may count; texts and stacks are checked later.
  bool allow(FailureKind kind) const;

  /// Whether a failure with known stacks counts. The stack of the failing thread is checked; if
  /// threads wait for each other, the stacks of all of them.
  bool match(const Failure& failure, std::string_view error_output) const;

  bool empty() const { return kinds.empty() && texts.empty() && stacks.empty(); }

  friend bool operator==(const Targets&, const Targets&) = default;
};

/// Parses kinds of failure, `text:WORDS` and `stack:NAME`.
Result<Targets> parse_targets(const std::vector<std::string>& items);

}  // namespace unravel
