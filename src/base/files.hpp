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

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path);
Result<std::string> read_text_file(const std::filesystem::path& path);

/// Who may read a new file: as the umask says, or nobody but its owner.
enum class Readable { kAsUsual, kByOwner };

/// Readers see the old content or the new, never a part, even after a power cut.
Result<void> write_file_atomically(const std::filesystem::path& path,
                                   std::span<const std::byte> content,
                                   Readable readable = Readable::kAsUsual);
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Adds at the end, creating the file if there is none.
Result<void> append_to_file(const std::filesystem::path& path, std::span<const std::byte> content);
Result<void> append_to_file(const std::filesystem::path& path, std::string_view content);

/// Creates the directory and its parents; no error if it is there already.
Result<void> ensure_directory(const std::filesystem::path& path);

/// The error of a system call on a file: "cannot `verb` `path`", with the error's text and
/// a hint for the usual causes.
Error file_error(std::string_view verb, const std::filesystem::path& path, int error_number);

}  // namespace unravel
