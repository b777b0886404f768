/// The standard input of the program: the same bytes in every run.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"
#include "cli/reporting_observer.hpp"

namespace unravel {

/// Reads our own standard input to its end, unless it is a terminal. A pipe to which nothing is
/// written counts as empty, so the command does not hang.
Result<std::string> read_standard_input(ReportingObserver& observer);

}  // namespace unravel
