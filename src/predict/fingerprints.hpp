/// What tells runs apart: the way that threads went, what they read, and how it ended.
#pragma once

#include <cstdint>

#include "predict/history.hpp"

namespace unravel {

struct Fingerprints {
  std::uint64_t path = 0;     // the sites of each thread, in order
  std::uint64_t sources = 0;  // the same with the write that each read has its value from
  std::uint64_t values = 0;   // what variables had at the end; 0: the trace has no values

  friend bool operator==(const Fingerprints&, const Fingerprints&) = default;
};

Fingerprints fingerprints_of(const History& history);

}  // namespace unravel
