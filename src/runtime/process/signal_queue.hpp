/// Signals that were sent and not taken yet, oldest first.
///
/// Knows who they were sent to and what they say. Which thread handles one that was sent to the
/// process, and when, is decided by Signals.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/core/object_table.hpp"

namespace unravel {

/// A timer sends its next signal only when the last one was taken; until then it counts.
struct TimerNotice {
  bool pending = false;
  std::uint64_t overruns = 0;       // since the signal was sent
  std::uint64_t last_overruns = 0;  // of the signal that was taken last
};

/// The receiver of what was sent to the process and that no thread is to handle yet.
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

  /// Real-time signals and those of timers queue. Of the others the first one counts, as long as it
  /// is pending: then this does nothing.
  void add(const SentSignal& sent);
  /// Removes the oldest `signal` of `receiver`, those that were sent to the thread first. False:
  /// there is none. `info` may be null.
  bool take(std::uint32_t receiver, int signal, siginfo_t* info);
  void discard(int signal);
  /// Drops what was sent to a thread that has ended.
  void discard_of(std::uint32_t receiver);
  /// A timer goes: what it has sent stays pending, but is counted no more.
  void forget(const TimerNotice* notice);

  [[nodiscard]] bool has(std::uint32_t receiver, int signal) const;
  [[nodiscard]] std::uint64_t bits(std::uint32_t receiver) const;
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool has_any_to_process() const { return to_process_ != 0; }
  [[nodiscard]] SentSignal* first() const { return first_; }

 private:
  template <class Matches>
  void remove_if(Matches matches);
  /// Removes what comes after `before`; null: the first.
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
