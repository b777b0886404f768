/// `--keep-files`: what a run wrote, for the user to look at.
#pragma once

#include <string>

#include "base/result.hpp"
#include "cli/console.hpp"
#include "run/runner.hpp"

namespace unravel {

/// Before anything is run: nothing of the user's may be mixed with what is kept. No directory is
/// fine too.
Result<void> check_keep_files(const std::string& directory);

/// Keeps what the runner's last run wrote, and says so. Does nothing if there is no directory.
Result<void> keep_files(Runner& runner, const std::string& directory, const Console& console);

}  // namespace unravel
