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
    bool is_date = false;             // its deadline is a date, not a duration
    std::uint64_t deadline = kNever;  // virtual monotonic nanoseconds
    std::uint64_t interval = 0;
    Notifies notifies = Notifies::kNobody;
    ClockKind clock = ClockKind::kMonotonic;
    int signal = 0;            // the signal that it sends
    int code = SI_TIMER;       // the si_code of that signal
    std::uint32_t thread = 0;  // the ordinal of the thread that gets it
    int descriptor = -1;       // the counter that it adds to
    void (*function)(sigval) = nullptr;
    pthread_attr_t attributes{};  // of the threads that call its function
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
  /// Takes a free timer; kNone: there are too many.
  int take();
  /// The timer that adds to `descriptor`, or kNone.
  [[nodiscard]] int find(int descriptor) const;

  void set(int index, std::uint64_t deadline, std::uint64_t interval);
  void forget(int index);
  /// The program moved the date by this many nanoseconds: timers that wait for a date come earlier
  /// or later.
  void date_moved(std::int64_t by);
  /// Nanoseconds until the timer is due; 0: it is not set.
  [[nodiscard]] std::uint64_t left(int index) const;

  /// Timers are due: sends their signals and sets their next deadlines.
  void due();
  /// Whether a timer will send a signal that the program handles, for the first time since it was
  /// set.
  [[nodiscard]] bool will_run_handler() const;

  /// Whether a function of a timer is to be called.
  [[nodiscard]] bool is_any_function_due() const { return functions_due_ != 0; }
  /// The timer whose function is to be called next; kNone: there is none.
  int take_function();
  bool has_caller = false;  // a thread exists that calls the functions
  /// The object that this thread waits for.
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
  int count_ = 0;  // the number of entries, including free ones
  int functions_due_ = 0;
};

}  // namespace unravel
