/// A command that runs beside the runs: uncontrolled, but with limits.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

class Sandbox;

struct PlainCommand {
  std::vector<std::string> arguments;  // [0] is found as a shell would find it
  std::string directory;
  std::chrono::milliseconds timeout{};
  int input = -1;  // descriptors; below 0: no input, and output is discarded
  int output = -1;
  int error_output = -1;
  const Sandbox* sandbox = nullptr;                       // it runs inside
  const std::vector<std::string>* environment = nullptr;  // null: ours
  std::uint64_t most_output = UINT64_MAX;
};

/// The exit statuses of a shell that cannot start or find a command.
inline constexpr int kCannotStart = 126, kNotFound = 127;

/// The command's exit status as in a shell: 128 + n if signal n ended it. Nothing if it did not end
/// in time, or wrote too much. Returns the error "interrupted" after an interruption.
Result<std::optional<int>> run_plain(const PlainCommand& command,
                                     const std::function<bool()>& interrupted);

/// What a command wrote.
struct PlainOutput {
  std::optional<int> status;  // as for run_plain()
  std::string output;
  std::string error_output;
};
Result<PlainOutput> capture_plain(PlainCommand command, const std::function<bool()>& interrupted);

/// A file in memory with this content, positioned at its beginning. Unlike a pipe it never blocks,
/// however little of it is read.
Result<UniqueFd> file_in_memory(const std::string& content);

}  // namespace unravel
