/// `--keep-files`: what a run wrote, for the user to look at.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace unravel {

/// Before anything is run: nothing of the user's may be mixed with what is kept. No directory is
/// fine too.
Result<void> check_keep_files(const std::string& directory);

/// `2 files of the run kept in DIR`.
std::string kept_files_text(std::uint64_t files, const std::string& directory);

}  // namespace unravel
