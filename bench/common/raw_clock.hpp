/// Real time, also under control: libc's clock is virtual there.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

namespace unravel::bench {

/// Nanoseconds, by a system call of its own (about 100 ns).
inline std::uint64_t raw_nanoseconds(long clock = CLOCK_MONOTONIC) {
  timespec now = {};
  long result = SYS_clock_gettime;
  asm volatile("syscall" : "+a"(result) : "D"(clock), "S"(&now) : "rcx", "r11", "memory");
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// Processor time of all threads of this process. What is measured never leaves its CPU idle, so
/// on an idle machine this is the same as real time; on a busy one it leaves the others out.
inline std::uint64_t processor_nanoseconds() { return raw_nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace unravel::bench
