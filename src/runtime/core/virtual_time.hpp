/// The program's clock. It moves when it is read, and when everybody waits for it.
#pragma once

#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

class VirtualTime {
 public:
  VirtualTime() = default;
  VirtualTime(std::uint64_t monotonic, std::uint64_t realtime)
      : now_(monotonic), realtime_ahead_(realtime - monotonic) {}

  /// Nanoseconds of CLOCK_MONOTONIC.
  [[nodiscard]] std::uint64_t now() const { return now_; }

  /// What a clock read sees. A program that waits by reading the clock must get there: a busy
  /// wait of 5 ms was seen to read it 200,000 times, so reads in a row count double each time.
  std::uint64_t read(Thread& thread) {
    const std::uint32_t doubled =
        thread.clock_reads < kMostDoubling ? thread.clock_reads++ : kMostDoubling;
    now_ += kPerRead << doubled;
    return now_;
  }

  void advance_to(std::uint64_t moment) {
    if (moment > now_) now_ = moment;
  }

  [[nodiscard]] std::uint64_t to_realtime(std::uint64_t monotonic) const {
    return monotonic + realtime_ahead_;
  }
  [[nodiscard]] std::uint64_t from_realtime(std::uint64_t realtime) const {
    const std::uint64_t moment = realtime - realtime_ahead_;
    // A machine whose date was never set may be ahead of it by the time since it was started.
    const bool is_behind = realtime_ahead_ >> 63;
    if (is_behind) return moment < realtime ? kNever - 1 : moment;
    return realtime > realtime_ahead_ ? moment : 0;
  }

 private:
  static constexpr std::uint64_t kPerRead = 1'000;
  // 1 ms per read at the most: a program that measures itself in a long loop should not see years.
  static constexpr std::uint32_t kMostDoubling = 10;

  std::uint64_t now_ = 0;
  std::uint64_t realtime_ahead_ = 0;
};

}  // namespace unravel
