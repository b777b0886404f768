/// What runs are limited and judged by, as far as somebody asked for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "data/targets.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// What is left out is the default, or, if a kept run is repeated, what that run had.
struct Judging {
  std::optional<std::uint64_t> most_steps;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<wire::Timeouts> timeouts;
  std::optional<wire::PointSet> points;  // nothing: what the program is built for
  std::optional<std::string> oracle;
  std::optional<std::string> expected_output;  // a file
  std::optional<std::uint64_t> most_output;    // bytes of each stream that are kept
  Targets targets;
  // The exit status by which a program says that it skipped its test; inner nothing: there is none.
  std::optional<std::optional<int>> skip_status;
  bool allow_untested = false;  // exit status 0 although nothing was tested
};

/// In which environment, umask and limits a kept run is repeated.
enum class EnvironmentOf { kRecording, kNow };

}  // namespace unravel
