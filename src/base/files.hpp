/// Whole files: read, replace, append. Errors name the path and what to do about it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace unravel {

// Limit for a file that the user names. A schedule of ten million switches, or an expected output,
// is smaller; /dev/zero is not.
inline constexpr std::size_t kMostBytesOfFile = std::size_t{1} << 30;

/// A file that the user names, which may be a pipe. More than `most` bytes are an error.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path,
                                         std::size_t most = kMostBytesOfFile);
Result<std::string> read_text_file(const std::filesystem::path& path,
                                   std::size_t most = kMostBytesOfFile);
/// Reads the rest of an open file; messages call it `path`.
Result<std::vector<std::byte>> read_descriptor(int fd, const std::filesystem::path& path,
                                               std::size_t most);

/// Readers see the old content or the new, never a mixture, even after a power cut. Only this user
/// can read the file: input and output of runs may be secret.
Result<void> write_file_atomically(const std::filesystem::path& path,
                                   std::span<const std::byte> content);
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Creates the directory and its parents; no error if it is there already.
Result<void> ensure_directory(const std::filesystem::path& path);

/// The error of a system call on a file: "cannot `verb` `path`", with the error's text and
/// a hint for the usual causes.
Error file_error(std::string_view verb, const std::filesystem::path& path, int error_number);

}  // namespace unravel
