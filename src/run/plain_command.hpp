/// A command that is run as it is, beside the runs: no runtime in it, but a limit.
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
  std::vector<std::string> arguments;  // [0] is looked for as a shell would
  std::string directory;
  std::chrono::milliseconds timeout{};
  int input = -1;  // descriptors; below 0: nothing to read, and what is written is thrown away
  int output = -1;
  int error_output = -1;
  const Sandbox* sandbox = nullptr;                       // it runs inside
  const std::vector<std::string>* environment = nullptr;  // null: ours
  std::uint64_t most_output = UINT64_MAX;
};

/// What a shell says when it cannot start or find a command.
inline constexpr int kCannotStart = 126, kNotFound = 127;

/// The command's exit status, as a shell tells it: 128 + n if a signal n ended it. Nothing if it
/// did not end in time, or wrote too much. "interrupted" is an error.
Result<std::optional<int>> run_plain(const PlainCommand& command,
                                     const std::function<bool()>& interrupted);

/// What a command wrote.
struct PlainOutput {
  std::optional<int> status;  // as of run_plain()
  std::string output;
  std::string error_output;
};
Result<PlainOutput> capture_plain(PlainCommand command, const std::function<bool()>& interrupted);

/// A file in memory with this content, to be read from its beginning. Unlike a pipe it never
/// blocks, however little of it is read.
Result<UniqueFd> file_in_memory(const std::string& content);

}  // namespace unravel
