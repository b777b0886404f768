/// The result of trying a stored failure on the current program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

enum class CheckVerdict { kFixed, kStillFails, kNotApplicable };
std::string_view name(CheckVerdict verdict);

/// What reproduced a failure.
enum class ReproducedBy { kNothing, kSchedule, kConstraints, kNeighbours };

/// A failure of another kind or place that was seen instead.
struct OtherFailure {
  std::string key;
  std::string run;        // id of the stored run
  bool verified = false;  // it was reproduced in a replay

  friend bool operator==(const OtherFailure&, const OtherFailure&) = default;
};

struct Checked {
  std::string run;
  CheckVerdict verdict = CheckVerdict::kNotApplicable;
  std::uint64_t neighbours = 0;  // runs in addition to its own schedule
  std::uint64_t unresolved = 0;  // among these
  ReproducedBy reproduced_by = ReproducedBy::kNothing;
  std::string key;          // of the stored failure
  std::string reason;       // why it is not applicable
  bool is_trouble = false;  // it should have been applicable
  std::vector<OtherFailure> others;

  friend bool operator==(const Checked&, const Checked&) = default;
};

}  // namespace unravel
