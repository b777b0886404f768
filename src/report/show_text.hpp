/// The text of `show`: one stored run.
#pragma once

#include <string>

#include "data/run.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace unravel {

/// Outcome, numbers, table, failure and schedule. If the schedule's string is long, its file is
/// named instead.
std::string run_text(const Run& run, const TableOptions& options, const std::string& schedule_file,
                     Paint paint);

}  // namespace unravel
