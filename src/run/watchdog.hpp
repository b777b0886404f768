/// Decides when a run has taken too long. Pure: it is told the time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace unravel {

class Watchdog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  Watchdog(Duration limit, Time now) : limit_(limit), began_(now), moved_(now) {}

  /// What the run shows: its number within the batch, and its steps so far. A new number is a
  /// new run, whose time begins.
  void observe(std::uint64_t run, std::uint64_t steps, Time now);

  /// Time in which the run stood still for us does not count.
  void forgive(Duration pause);

  bool expired(Time now) const { return now - began_ >= limit_; }

  /// Whether the run did nothing that we could see for most of its time.
  bool is_silent(Time now) const { return now - moved_ >= limit_ / 2; }

  /// "still running after 10 s, 1234 steps", or "no scheduling point for 8 s".
  std::string describe(Time now) const;

  Duration since_began(Time now) const { return now - began_; }

 private:
  Duration limit_;
  Time began_;
  Time moved_;  // when steps last changed
  std::uint64_t run_ = 0;
  std::uint64_t steps_ = 0;
};

/// "10 s", "1.5 s"
std::string describe_seconds(std::chrono::steady_clock::duration duration);

}  // namespace unravel
