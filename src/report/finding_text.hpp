/// Findings as text.
#pragma once

#include <cstddef>
#include <string>

#include "data/finding.hpp"
#include "report/text.hpp"

namespace unravel {

/// A failure found by a hunt: what fails, the simplest run that shows it, the switch that decides,
/// and what to do next. `columns` is the maximum width of the table.
std::string failure_finding_text(const Finding& finding, std::size_t columns, Paint paint);

/// The same in one or two lines: for --quiet, and for a failure that was not reproduced.
std::string failure_finding_line(const Finding& finding, Paint paint);

/// Any other finding: its title, its places and what to do next.
std::string finding_text(const Finding& finding, Paint paint);

/// How to repeat a run that could not be stored.
std::string unkept_text(const Run& run);

}  // namespace unravel
