/// Times of things done side by side, on one CPU, in rounds.
#pragma once

#include <cstdint>
#include <vector>

#include "common/raw_clock.hpp"

namespace unravel::bench {

/// Where everything that is measured runs; the benchmark itself stays off it where it can.
int measured_cpu();
void leave_measured_cpu();

double median(std::vector<double> values);

/// The median of values[i] / others[i]: both were taken in round i.
double median_ratio(const std::vector<double>& values, const std::vector<double>& others);

/// Processor nanoseconds per hand-over among `threads` threads of this process, pinned.
double bare_hand_over(std::uint32_t threads, std::uint64_t hand_overs);

/// Processor time of all children that were reaped so far, with theirs.
double children_processor_nanoseconds();

/// Nanoseconds of real time that `body` takes.
template <class Body>
double nanoseconds_of(Body body) {
  const std::uint64_t began = raw_nanoseconds();
  body();
  return static_cast<double>(raw_nanoseconds() - began);
}

}  // namespace unravel::bench
