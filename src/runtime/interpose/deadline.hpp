/// The program's deadlines in virtual time.
#pragma once

#include <time.h>

#include "runtime/core/virtual_time.hpp"

namespace unravel {

inline constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

inline bool is_valid(const timespec& until) {
  return until.tv_nsec >= 0 && until.tv_nsec < static_cast<long>(kNanosecondsPerSecond);
}

inline std::uint64_t nanoseconds(const timespec& until) {
  if (until.tv_sec < 0) return 0;
  constexpr auto kMost = static_cast<time_t>((kNever - 1) / kNanosecondsPerSecond - 1);
  if (until.tv_sec > kMost) return kNever - 1;
  return static_cast<std::uint64_t>(until.tv_sec) * kNanosecondsPerSecond +
         static_cast<std::uint64_t>(until.tv_nsec);
}

inline timespec timespec_of(std::uint64_t nanoseconds) {
  return {.tv_sec = static_cast<time_t>(nanoseconds / kNanosecondsPerSecond),
          .tv_nsec = static_cast<long>(nanoseconds % kNanosecondsPerSecond)};
}

inline bool is_realtime(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
         clock == CLOCK_REALTIME_ALARM;
}

/// An absolute time of `clock` as virtual monotonic nanoseconds.
inline std::uint64_t deadline_at(const VirtualTime& time, clockid_t clock, const timespec& until) {
  const std::uint64_t at = nanoseconds(until);
  return is_realtime(clock) ? time.from_realtime(at) : at;
}

/// The time after `length` has passed. A length that overflows is not "for ever", but nearly.
inline std::uint64_t deadline_after(const VirtualTime& time, std::uint64_t length) {
  const std::uint64_t longest = kNever - 1 - time.now();
  return time.now() + (length < longest ? length : longest);
}

}  // namespace unravel
