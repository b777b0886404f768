/// The user's command that judges a run's output.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace unravel {

class Sandbox;

struct Oracle {
  std::vector<std::string> command;  // a single text with spaces is for the shell
  std::string directory;
  std::chrono::milliseconds timeout{};
  const Sandbox* sandbox = nullptr;  // it sees the files of the run that it judges
  const std::vector<std::string>* environment = nullptr;  // null: ours
};

/// The command's exit status (128 + n if signal n ended it), with the file `output` as its standard
/// input; nothing if it did not end in time. Its own output is discarded.
Result<std::optional<int>> ask(const Oracle& oracle, int output,
                               const std::atomic<bool>& interrupted);

}  // namespace unravel
