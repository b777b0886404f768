/// Signals that were sent and not taken yet, oldest first.
///
/// The queue knows each signal's receiver and siginfo. Signals decides which thread handles a
/// signal that was sent to the process, and when.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/core/object_table.hpp"

namespace unravel {

/// A timer sends its next signal only when the last one was taken; until then it counts overruns.
struct TimerNotice {
  bool pending = false;
  std::uint64_t overruns = 0;       // since the last signal was sent
  std::uint64_t last_overruns = 0;  // of the last signal that was taken
};

/// The receiver of a signal that was sent to the process and has no thread to handle it yet.
inline constexpr std::uint32_t kAnybody = ~std::uint32_t{0};

struct SentSignal {
  int signal = 0;
  std::uint32_t receiver = kAnybody;  // a thread's ordinal
  bool to_process = false;
  TimerNotice* notice = nullptr;
  siginfo_t info{};
  SentSignal* next = nullptr;
};

class SignalQueue {
 public:
  explicit SignalQueue(Arena& arena) : arena_(arena) {}

  /// Real-time signals and those of timers queue up. Any other signal is dropped while one of its
  /// kind is pending.
  void add(const SentSignal& sent);
  /// Removes the oldest `signal` for `receiver`; those sent to the thread itself come first.
  /// Returns false if there is none. `info` may be null.
  bool take(std::uint32_t receiver, int signal, siginfo_t* info);
  void discard(int signal);
  /// Drops what was sent to a thread that has ended.
  void discard_of(std::uint32_t receiver);
  /// A timer is deleted: its signals stay pending, but are not counted any more.
  void forget(const TimerNotice* notice);

  [[nodiscard]] bool has(std::uint32_t receiver, int signal) const;
  [[nodiscard]] std::uint64_t bits(std::uint32_t receiver) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool has_any_to_process() const { return to_process_ != 0; }
  [[nodiscard]] SentSignal* first() const { return first_; }

 private:
  template <class Matches>
  void remove_if(Matches matches);
  /// Removes the signal after `before`; null: the first.
  void remove(SentSignal* before);
  [[nodiscard]] bool has_any_to_thread() const { return size_ != to_process_; }

  Arena& arena_;
  SentSignal* first_ = nullptr;
  SentSignal* last_ = nullptr;
  SentSignal* free_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t to_process_ = 0;
};

}  // namespace unravel
