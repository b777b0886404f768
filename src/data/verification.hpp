/// Whether replays reproduced a failure.
#pragma once

#include <string>

namespace unravel {

/// The number of replays that must reproduce a failure: a single one may be luck if something is
/// not controlled. Chosen by hand.
inline constexpr int kReplays = 3;

struct Verification {
  std::string differs;       // how a replay differed; empty: verified
  std::string uncontrolled;  // what was not controlled; empty: nothing was seen

  [[nodiscard]] bool verified() const { return differs.empty(); }
  /// If something was not controlled, that is the reason. Otherwise it is a bug of unravel.
  [[nodiscard]] bool is_our_fault() const { return !verified() && uncontrolled.empty(); }
  /// Why it was not verified, in one sentence.
  [[nodiscard]] std::string why() const;
};

}  // namespace unravel
