/// A kept run in words, whole: for `show`.
#pragma once

#include <string>

#include "data/run.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace unravel {

/// Outcome, numbers, table, failure and schedule. `schedule_file` is named if the schedule's string
/// is long.
std::string run_text(const Run& run, const TableOptions& options, const std::string& schedule_file,
                     Paint paint);

}  // namespace unravel
