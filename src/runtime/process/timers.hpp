/// Timers that the program sets, in virtual time: alarm, setitimer, timer_create, timerfd.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/signals.hpp"

namespace unravel {

class Timers {
 public:
  enum class Notifies : std::uint8_t { kNobody, kProcess, kThread, kFunction, kDescriptor };
  enum class ClockKind : std::uint8_t { kMonotonic, kRealtime, kCpu };

  struct Timer {
    bool in_use = false;
    bool has_fired = false;           // since it was set
    bool is_date = false;             // it waits for a date, not for time to pass
    std::uint64_t deadline = kNever;  // virtual monotonic nanoseconds
    std::uint64_t interval = 0;
    Notifies notifies = Notifies::kNobody;
    ClockKind clock = ClockKind::kMonotonic;
    int signal = 0;            // that it sends
    int code = SI_TIMER;       // what the signal says of where it comes from
    std::uint32_t thread = 0;  // the ordinal of the one that gets it
    int descriptor = -1;       // a counter that it adds to
    void (*function)(sigval) = nullptr;
    pthread_attr_t attributes{};  // of the threads that call it
    sigval value{};
    TimerNotice notice;
  };
  /// The timers of alarm() and setitimer().
  static constexpr int kAlarm = 0;
  static constexpr int kVirtual = 1;
  static constexpr int kProfile = 2;
  static constexpr int kNone = -1;

  Timers(Scheduler& scheduler, Signals& signals, Arena& arena);

  Timer& at(int index) { return chunks_[index / kPerChunk][index % kPerChunk]; }
  [[nodiscard]] const Timer& at(int index) const {
    return chunks_[index / kPerChunk][index % kPerChunk];
  }
  [[nodiscard]] bool is_used(std::uint64_t index) const {
    return index < static_cast<std::uint64_t>(count_) && at(static_cast<int>(index)).in_use;
  }
  /// A free one, taken into use; kNone: there are too many.
  int take();
  /// The one that adds to `descriptor`, or kNone.
  [[nodiscard]] int find(int descriptor) const;

  void set(int index, std::uint64_t deadline, std::uint64_t interval);
  void forget(int index);
  /// The program has moved the date by so many nanoseconds: what waits for one is nearer or
  /// farther.
  void date_moved(std::int64_t by);
  /// Nanoseconds until it is due; 0: it is not set.
  [[nodiscard]] std::uint64_t left(int index) const;

  /// They are due: sends their signals and sets the next ones.
  void due();
  /// Whether a signal will come that the program handles and that has not come before.
  [[nodiscard]] bool will_run_handler() const;

  /// Whether a function of a timer is to be called.
  [[nodiscard]] bool is_any_function_due() const { return functions_due_ != 0; }
  /// The timer whose function is to be called next; kNone: there is none.
  int take_function();
  bool has_caller = false;  // a thread that calls them
  /// What it waits for.
  [[nodiscard]] const void* functions() const { return &functions_due_; }

 private:
  void fire(Timer& timer, std::uint64_t now);
  void send(int index);
  void tell_next();

  static constexpr int kPerChunk = 16;
  static constexpr int kMostChunks = 4096;

  Scheduler& scheduler_;
  Signals& signals_;
  Arena& arena_;
  Timer* chunks_[kMostChunks] = {};
  int count_ = 0;  // places, free ones too
  int functions_due_ = 0;
};

}  // namespace unravel
