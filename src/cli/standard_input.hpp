/// What the program may read from its standard input: the same bytes in every run.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.hpp"
#include "cli/reporting_observer.hpp"

namespace unravel {

/// Reads our own standard input to its end, unless it is a terminal. A pipe that says nothing
/// is taken for one that nobody meant: it must not hang us.
Result<std::string> read_standard_input(ReportingObserver& observer);

}  // namespace unravel
