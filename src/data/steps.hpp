/// The table and the trace of a run as stored bytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "data/run.hpp"

namespace unravel {

/// The steps of a run that a user may want to see.
struct StepsAndEvents {
  std::vector<Step> steps;
  std::vector<wire::Event> events;

  friend bool operator==(const StepsAndEvents&, const StepsAndEvents&) = default;
};

/// Compressed, versioned, with a checksum. Empty if it would be too large to read back.
std::vector<std::byte> encode(const StepsAndEvents& steps);
Result<StepsAndEvents> decode_steps(std::span<const std::byte> bytes);

}  // namespace unravel
