/// Timers that the program sets, in virtual time: alarm, setitimer, timer_create, timerfd.
#pragma once

#include <cstdint>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/signals.hpp"

namespace unravel {

class Timers {
 public:
  struct Timer {
    std::uint64_t deadline = kNever;  // virtual monotonic nanoseconds
    std::uint64_t interval = 0;
    int signal = 0;       // that it sends
    int descriptor = -1;  // or a counter that it adds to
    bool is_realtime = false;
    void* value = nullptr;
    int overruns = 0;

    [[nodiscard]] bool in_use() const { return signal || descriptor >= 0; }
  };
  /// The timer of alarm() and setitimer(ITIMER_REAL).
  static constexpr int kAlarm = 0;
  static constexpr int kMost = 128;
  static constexpr int kNone = -1;

  Timers(Scheduler& scheduler, Signals& signals) : scheduler_(scheduler), signals_(signals) {}

  Timer& at(int index) { return timers_[index]; }
  /// A free one; kNone: there are too many.
  int free_one();
  /// The one that adds to `descriptor`, or kNone.
  [[nodiscard]] int find(int descriptor) const;

  void set(int index, std::uint64_t deadline, std::uint64_t interval);
  void forget(int index);
  /// Nanoseconds until it is due; 0: it is not set.
  [[nodiscard]] std::uint64_t left(int index) const;

  /// Their moment has come: sends their signals and sets the next ones.
  void due();

 private:
  void fire(Timer& timer, std::uint64_t now);
  void tell_next();

  Scheduler& scheduler_;
  Signals& signals_;
  Timer timers_[kMost];
};

}  // namespace unravel
