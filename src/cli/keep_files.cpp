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
  return user_error("--keep-files needs a new or empty directory", "'" + directory + "' is neither",
                    "remove it or name another one");
}

std::string kept_files_text(std::uint64_t files, const std::string& directory) {
  return "kept " + plural(files, "file") + " of the run in " + directory;
}

}  // namespace unravel
