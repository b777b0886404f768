#include "cli/keep_files.hpp"

#include <filesystem>

#include "base/text.hpp"

namespace unravel {

namespace fs = std::filesystem;

Result<void> check_keep_files(const std::string& directory) {
  if (directory.empty()) return {};
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) return {};
  if (fs::is_directory(status) && fs::is_empty(directory, error) && !error) return {};
  return user_error("--keep-files takes a directory that is new or empty",
                    "'" + directory + "' is not", "remove it, or name another");
}

std::string kept_files_text(std::uint64_t files, const std::string& directory) {
  return plural(files, "file") + " of the run kept in " + directory;
}

}  // namespace unravel
