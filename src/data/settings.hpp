/// How a run was judged and limited. A replay needs the same settings for the same outcome.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/client.hpp"
#include "data/targets.hpp"

namespace unravel {

/// The exit status of a skipped test, by convention of automake and CTest.
inline constexpr int kUsualSkipStatus = 77;

struct RunSettings {
  std::vector<std::string> oracle;  // a command; empty: none
  std::string expected_output;      // an absolute path; empty: none
  Targets targets;
  std::uint64_t most_steps = 0;
  std::uint64_t timeout_milliseconds = 0;
  bool fork_server = true;
  std::optional<int> skip_status = kUsualSkipStatus;  // nothing: no exit status means skipped
  ClientCommand client = {};                          // what was started beside the run

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

}  // namespace unravel
