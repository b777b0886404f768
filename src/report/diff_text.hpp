/// Two runs of one program side by side, one row per step.
#pragma once

#include <cstddef>
#include <string>

#include "report/step_diff.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace unravel {

struct DiffTextOptions {
  std::size_t columns = 100;  // of the screen
  std::size_t around = 3;     // equal rows around each difference, or kAllRows
};

/// First a summary of both runs, then their steps; long stretches of equal rows are folded. No line
/// is wider than the screen.
std::string diff_text(const Run& left, const Run& right, const StepDiff& diff,
                      const DiffTextOptions& options, Paint paint);

/// `the first difference: step 4: left T1:4 lock mutex 1 at lost.c:19 deposit(), right …`.
std::string first_difference_line(const StepDiff& diff);

}  // namespace unravel
