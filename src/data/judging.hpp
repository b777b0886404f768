/// The limits and checks that the user asked for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "data/targets.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// Missing values are the defaults or, when a stored run is repeated, those of that run.
struct Judging {
  std::optional<std::uint64_t> most_steps;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<wire::Timeouts> timeouts;
  std::optional<wire::PointSet> points;  // nothing: all that the program is built for
  std::optional<std::string> oracle;
  std::optional<std::string> expected_output;  // path of a file
  std::optional<std::uint64_t> most_output;    // bytes that are stored of each stream
  Targets targets;
  // The exit status of a skipped test; inner nothing: there is none.
  std::optional<std::optional<int>> skip_status;
  bool allow_untested = false;  // exit status 0 although nothing was tested
};

/// Which environment, umask and limits a stored run is repeated with.
enum class EnvironmentOf { kRecording, kNow };

/// Where a repeated run gets what comes from outside: from its recorded inputs, if it has any, or
/// from outside again.
enum class InputsOf { kRecording, kLive };

}  // namespace unravel
