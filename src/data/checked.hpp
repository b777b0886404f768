/// What became of a kept failure when it was tried on the program as it is now.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

enum class CheckVerdict { kFixed, kStillFails, kNotApplicable };
std::string_view name(CheckVerdict verdict);

/// What brought a failure back.
enum class ReproducedBy { kNothing, kSchedule, kConstraints, kNeighbours };

/// A failure of another kind or place that was seen instead.
struct OtherFailure {
  std::string key;
  std::string run;        // as it was kept
  bool verified = false;  // it came back when it was replayed

  friend bool operator==(const OtherFailure&, const OtherFailure&) = default;
};

struct Checked {
  std::string run;
  CheckVerdict verdict = CheckVerdict::kNotApplicable;
  std::uint64_t neighbours = 0;  // runs that were tried besides its own schedule
  std::uint64_t unresolved = 0;  // of them
  ReproducedBy reproduced_by = ReproducedBy::kNothing;
  std::string key;          // of the failure as it was kept
  std::string reason;       // why it is not applicable
  bool is_trouble = false;  // it should have been applicable
  std::vector<OtherFailure> others;

  friend bool operator==(const Checked&, const Checked&) = default;
};

}  // namespace unravel
