/// The program's clock. It moves when it is read, when every thread waits for a deadline, and when
/// threads have run for so long that a deadline must come.
#pragma once

#include <cstdint>

#include "runtime/core/thread.hpp"

namespace unravel {

class VirtualTime {
 public:
  VirtualTime() = default;
  VirtualTime(std::uint64_t monotonic, std::uint64_t realtime,
              wire::TimeModel model = wire::TimeModel::kThird)
      : now_(monotonic), realtime_ahead_(realtime - monotonic), model_(model) {}

  /// Nanoseconds of CLOCK_MONOTONIC.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  [[nodiscard]] bool is_first_model() const { return model_ == wire::TimeModel::kFirst; }

  /// Returns what `thread` reads. Different clocks that are read one after the other show the same
  /// time, so that a program may compare them; `clock` tells them apart. `next_due` returns when
  /// the next deadline is due; it is called only if a read might jump over it.
  template <class NextDue>
  std::uint64_t read(Thread& thread, unsigned clock, NextDue next_due) {
    ++reads_;
    if (is_first_model()) return read_by_first_model(thread);
    const std::uint32_t seen = std::uint32_t{1} << (clock % 32);
    if (!(seen_ & seen)) {
      seen_ |= seen;
      return now_;
    }
    const std::uint64_t full = length_of_read(thread);
    const std::uint64_t length = full < longest_read_ ? full : longest_read_;
    std::uint64_t time = now_ + length;
    if (length > kPerRead) {
      const std::uint64_t due = next_due();
      if (due > now_ && due < time) time = due;
    }
    now_ = time;
    seen_ = seen;
    return now_;
  }

  /// The program has made a child: from now on, time is no faster than real time.
  void keeps_pace() {
    if (model_ == wire::TimeModel::kThird) longest_read_ = kLongestPacedRead;
  }

  [[nodiscard]] bool is_paced() const { return longest_read_ == kLongestPacedRead; }

  void advance_to(std::uint64_t time) {
    if (time <= now_) return;
    now_ = time;
    seen_ = 0;
  }

  /// When a wait with this deadline ends. The kernel wakes no thread early, and most a little late.
  [[nodiscard]] std::uint64_t due(std::uint64_t deadline) const {
    const std::uint64_t slack = is_first_model() ? 0 : kTimerSlack;
    if (deadline == kNever) return kNever;
    return deadline < kNever - 1 - slack ? deadline + slack : kNever - 1;
  }

  /// How often any thread read a clock.
  [[nodiscard]] std::uint64_t reads() const { return reads_; }

  [[nodiscard]] std::uint64_t to_realtime(std::uint64_t monotonic) const {
    return monotonic + realtime_ahead_;
  }
  /// The program sets its date; no other clock moves.
  void set_realtime(std::uint64_t realtime) { realtime_ahead_ = realtime - now_; }
  [[nodiscard]] std::uint64_t from_realtime(std::uint64_t realtime) const {
    const std::uint64_t time = realtime - realtime_ahead_;
    // On a machine whose date was never set, the date may be behind the time since it was started.
    const bool is_behind = realtime_ahead_ >> 63;
    if (is_behind) return time < realtime ? kNever - 1 : time;
    return realtime > realtime_ahead_ ? time : 0;
  }

  /// Nanoseconds. After a wait this long, a thread's series of clock reads starts again. Chosen by
  /// hand.
  static constexpr std::uint64_t kLongWait = 1'000'000;

 private:
  static constexpr std::uint64_t kPerRead = 1'000;
  // The kernel's default, see prctl(PR_SET_TIMERSLACK). A program that reads a clock twice between
  // setting a deadline and starting to measure must still see the whole time pass.
  static constexpr std::uint64_t kTimerSlack = 50'000;

  // A program that waits by reading the clock must reach its time: a busy wait of 5 ms was seen to
  // read it 200,000 times. So the length of a read doubles after every few reads in which the
  // thread did nothing else. It does not double after each: a program that times a hundred things
  // should not see seconds pass. Both chosen by hand.
  static constexpr std::uint32_t kReadsPerDoubling = 16;
  static constexpr std::uint32_t kMostDoublings = 20;
  static constexpr std::uint64_t kLongestRead = 1'000'000'000;
  // A loop that locks, checks and reads the clock does something else between reads. Its reads grow
  // too, by a microsecond after this many: it sees ten seconds pass in 36,000 reads, and a program
  // that writes a thousand lines with timestamps sees eight milliseconds. Chosen by hand.
  static constexpr std::uint64_t kReadsPerMicrosecond = 64;

  // While a child runs, the program sleeps until real time has caught up, so longer reads save
  // nothing. They cost much if a program reads the clock while it computes: glib's allocator does
  // so every few microseconds, and its tests slept for seconds. With this limit they are about as
  // fast as natively, and a loop that reads the clock and yields still reaches its time: a switch
  // takes 2.5 us (bench/README.md).
  static constexpr std::uint64_t kLongestPacedRead = 10'000;

  // The limit of time model kFirst.
  static constexpr std::uint32_t kMostDoublingOfFirst = 10;

  static std::uint64_t length_of_read(Thread& thread) {
    const std::uint32_t doublings = thread.clock_reads.in_a_row++ / kReadsPerDoubling;
    const std::uint64_t doubled = kPerRead
                                  << (doublings < kMostDoublings ? doublings : kMostDoublings);
    const std::uint64_t grown =
        kPerRead * (1 + thread.clock_reads.since_wait++ / kReadsPerMicrosecond);
    return doubled > grown ? doubled : grown;
  }

  std::uint64_t read_by_first_model(Thread& thread) {
    const std::uint32_t doubled = thread.clock_reads.in_a_row < kMostDoublingOfFirst
                                      ? thread.clock_reads.in_a_row++
                                      : kMostDoublingOfFirst;
    now_ += kPerRead << doubled;
    return now_;
  }

  std::uint64_t now_ = 0;
  std::uint64_t realtime_ahead_ = 0;
  std::uint64_t reads_ = 0;
  std::uint64_t longest_read_ = kLongestRead;
  std::uint32_t seen_ = 0;  // clocks that were read at this time, a bit each
  wire::TimeModel model_ = wire::TimeModel::kThird;
};

}  // namespace unravel
