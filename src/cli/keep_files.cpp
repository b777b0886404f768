#include "cli/keep_files.hpp"

#include <filesystem>

#include "base/files.hpp"

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

Result<void> keep_files(Runner& runner, const std::string& directory, const Console& console) {
  if (directory.empty()) return {};
  const Result<std::uint64_t> files = runner.keep_files(directory);
  if (!files) return fail(files.error());
  if (!console.options().quiet) {
    console.note("unravel: " + std::to_string(*files) + (*files == 1 ? " file" : " files") +
                 " of the run kept in " + clean(directory) + "\n");
  }
  return {};
}

}  // namespace unravel
