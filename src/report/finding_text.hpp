/// Findings in words.
#pragma once

#include <cstddef>
#include <string>

#include "data/finding.hpp"
#include "report/text.hpp"

namespace unravel {

/// A failure that a hunt found: what fails, the simplest run that shows it, the switch that
/// decides, and what to do next. `columns` is how wide its table may be.
std::string failure_finding_text(const Finding& finding, std::size_t columns, Paint paint);

/// Likewise in one line or two: for --quiet, and for a failure that did not come back.
std::string failure_finding_line(const Finding& finding, Paint paint);

/// How to run again what the store did not take.
std::string unkept_text(const Run& run);

}  // namespace unravel
