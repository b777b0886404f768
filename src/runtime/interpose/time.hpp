/// Sleeping and yielding for other files.
#pragma once

#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

/// Returns the nanoseconds that are left; 0 unless a signal handler ended the sleep.
std::uint64_t sleep_for(Thread& self, std::uint64_t nanoseconds, const void* site);
void yield(Thread& self, const void* site);

}  // namespace unravel
