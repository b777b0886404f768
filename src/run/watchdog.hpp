/// Decides when a run has taken too long. Pure: it is told what the kernel says.
///
/// A run is over when one of these reaches its limit; wall time alone does not count:
///   - processor time of its process and their children;
///   - standstill: time in which all of them slept and used no processor. It is added from check to
///     check, but never more than a check is expected to take: if a busy machine delays this
///     process, it also delays whatever the run waits for;
///   - a tenth of the time in which one was stopped (SIGSTOP), or hung in the kernel, and none ran.
///     This is the last resort: such a process does nothing that could be counted.
/// A run that only waits for a processor is never over.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "run/activity.hpp"

namespace unravel {

class Watchdog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  /// What a run spent its time on.
  enum class Cause { kProcessor, kStandstill, kStopped, kInKernel };

  /// The usual longest time between two checks. Chosen by hand.
  static constexpr std::chrono::milliseconds kBetweenLooks{50};
  static constexpr int kPatience = 10;  // times the limit, if stopped or hung in the kernel

  explicit Watchdog(Duration limit) : limit_(limit) {}

  /// What the run shows: its number in the batch, its steps so far, and what its processes do. A
  /// new number is a new run, whose time starts at zero. `most`: this check was due this long after
  /// the last one.
  void observe(std::uint64_t run, std::uint64_t steps, const Activity& activity, Time now,
               Duration most = kBetweenLooks);

  /// Time in which we had stopped the run does not count.
  void forgive(Duration pause) { looked_ += pause; }

  bool expired() const;

  /// Whether the run did nothing visible for most of its time.
  bool is_silent() const;

  /// Processor time since its last step.
  Duration computing() const { return spent_.processor - at_step_.processor; }

  /// What it has spent most time on since its last step.
  Cause cause() const;

  /// "still running after 10 s of processor time, 1234 steps", "no scheduling point for 8 s",
  /// "stopped by a signal for 100 s".
  std::string describe() const;

 private:
  struct Spent {
    Duration processor{0};
    Duration asleep{0};
    Duration stopped{0};
    Duration in_kernel{0};
  };
  static Spent since(const Spent& now, const Spent& before);

  Duration limit_;
  bool has_looked_ = false;
  std::uint64_t run_ = 0;
  std::uint64_t steps_ = 0;
  Time looked_{};
  std::chrono::milliseconds processor_{0};  // of all runs so far
  Spent spent_;
  Spent at_step_;  // spent before the last step
};

/// "10 s", "1.5 s"
std::string describe_seconds(std::chrono::steady_clock::duration duration);

}  // namespace unravel
