/// How hard a run is to understand: fewer switches are better, then fewer preemptions, fewer
/// threads, fewer steps.
#pragma once

#include <compare>
#include <cstdint>

#include "data/run.hpp"

namespace unravel {

struct Cost {
  std::uint64_t switches = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t threads = 0;
  std::uint64_t steps = 0;

  [[nodiscard]] std::uint64_t forced() const { return switches - preemptions; }
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

inline Cost cost_of(const RunSummary& run) {
  return {run.switches, run.preemptions, run.threads, run.steps};
}

}  // namespace unravel
