/// What a benchmark is told on its command line.
#pragma once

#include <cstdint>
#include <string>

namespace unravel::bench {

struct Arguments {
  bool quick = false;            // a tenth of the work or less: does it run at all?
  std::string json;              // write figures to this file; empty: do not
  std::uint64_t replays = 1000;  // replay_soak only, as all below
  std::uint64_t seed = 1;
  unsigned jobs = 2;
  std::string only;  // programs whose path contains this
};

enum class Kind { kTimes, kSoak };

/// Ends the process if they make no sense, or after --help.
Arguments parse_arguments(int argc, char** argv, const std::string& question,
                          Kind kind = Kind::kTimes);

}  // namespace unravel::bench
