/// `--keep-files`: copies the files that a run wrote.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace unravel {

/// Called before anything is run: the kept files must not mix with files of the user. An empty name
/// is allowed.
Result<void> check_keep_files(const std::string& directory);

/// `kept 2 files of the run in DIR`.
std::string kept_files_text(std::uint64_t files, const std::string& directory);

}  // namespace unravel
