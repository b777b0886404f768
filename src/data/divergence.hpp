/// Where a replay left the recorded run, and why that may be.
#pragma once

#include <optional>
#include <string>

#include "data/frame.hpp"
#include "wire/divergence.hpp"

namespace unravel {

/// The first difference between a replay and the recorded run.
struct Divergence {
  /// What one of the two runs did there.
  struct Side {
    std::string text;  // "T1:3+1 before lock", "passed"
    std::optional<Frame> place;
  };

  wire::DivergenceKind kind = wire::DivergenceKind::kNone;
  std::string at;  // the thread and its clock in the replay; empty: not known
  Side recorded;
  Side now;
  std::string cause;  // the likely one
};

}  // namespace unravel
