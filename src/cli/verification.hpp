/// A failure counts once it has come back as often as this, step by step: for `run`, `hunt` and
/// `check`.
#pragma once

#include <functional>
#include <string>

#include "base/result.hpp"
#include "data/run.hpp"
#include "run/runner.hpp"

namespace unravel {

/// One replay may be luck where something is not controlled.
inline constexpr int kReplays = 3;

struct Verification {
  std::string differs;       // how a replay differed; empty: the failure is verified
  std::string uncontrolled;  // what took part that is not controlled; empty: nothing was seen

  [[nodiscard]] bool verified() const { return differs.empty(); }
  /// Where something was not controlled, that is the reason. Else it is a fault of ours.
  [[nodiscard]] bool is_our_fault() const { return !verified() && uncontrolled.empty(); }
  /// Why it was not verified, in one sentence.
  [[nodiscard]] std::string why() const;
};

using RunOnce = std::function<Result<Run>(RunRequest)>;

/// Replays a failing run strictly. If it comes back every time, the run gets the failure as the
/// replay named it, its table and its constraints; else it is marked as unverified.
Result<Verification> verify(Run& run, const RunOnce& run_once);

/// What took part in a run that is not controlled: "2 child processes", "a thread that …"; empty if
/// nothing is known to have.
std::string uncontrolled_in(const Run& run);

/// The fault that is ours if a failure did not come back although all was controlled.
Error not_reproduced(const Run& run, const Verification& verification);

}  // namespace unravel
