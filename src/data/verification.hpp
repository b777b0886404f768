/// Whether a failure came back when its schedule was followed.
#pragma once

#include <string>

namespace unravel {

/// A failure counts once it has come back as often as this: one replay may be luck where something
/// is not controlled.
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

}  // namespace unravel
