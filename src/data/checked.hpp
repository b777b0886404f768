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

struct Checked {
  std::string run;
  CheckVerdict verdict = CheckVerdict::kNotApplicable;
  std::uint64_t neighbours = 0;  // runs that were tried besides its own schedule
  std::uint64_t unresolved = 0;  // of them
  ReproducedBy reproduced_by = ReproducedBy::kNothing;
  std::string key;                          // of the failure as it was kept
  std::string reason;                       // why it is not applicable
  bool is_trouble = false;                  // it should have been applicable
  std::vector<std::string> other_failures;  // keys of what was seen instead

  friend bool operator==(const Checked&, const Checked&) = default;
};

}  // namespace unravel
