/// The machine's own clock, for real waiting.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/os/real.hpp"

namespace unravel::os {

inline std::uint64_t real_nanoseconds() {
  timespec now{};
  real::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace unravel::os
