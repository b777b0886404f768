/// The inputs of a run: recorded for the driver, or taken from an earlier recording. Then the
/// kernel is not asked, and neither the other end of a connection nor a child has to be there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/thread.hpp"
#include "runtime/process/streams.hpp"
#include "wire/control.hpp"

namespace unravel {

class Scheduler;
class RunHost;

/// What a thread asks for.
struct InputCall {
  wire::InputKind kind = wire::InputKind::kNone;
  wire::Operation operation = wire::Operation::kNone;
  int descriptor = -1;
  std::uint16_t call = 0;    // the number of a system call that was caught; of traffic: bits
  std::uint32_t stream = 0;  // its number in the record
};

/// One recorded input, whose bytes are read from front to back.
class RecordedInput {
 public:
  explicit RecordedInput(const wire::InputHead& head)
      : head_(head), at_(reinterpret_cast<const std::byte*>(&head + 1)), left_(head.size) {}

  [[nodiscard]] long result() const { return head_.result; }
  [[nodiscard]] std::uint64_t asked() const { return head_.asked; }
  [[nodiscard]] std::uint64_t left() const { return left_; }
  /// Copies the next bytes. Returns false, and copies nothing, if there are fewer.
  bool read(void* to, std::size_t size);

 private:
  const wire::InputHead& head_;
  const std::byte* at_;
  std::uint64_t left_;
};

/// The answer that a thread is going to get.
struct RecordedAnswer {
  bool is_known = false;
  long result = 0;
  bool is_over = false;  // the recorded run ended before the thread got anything more
};

class Inputs {
 public:
  Inputs(wire::Control& control, const wire::Settings& settings, Scheduler& scheduler,
         RunHost& host, Streams& streams);

  [[nodiscard]] bool records() const { return mode_ == wire::InputMode::kRecord; }
  [[nodiscard]] bool replays() const { return mode_ == wire::InputMode::kReplay; }
  [[nodiscard]] bool is_on() const { return records() || serves(); }
  /// Inputs come by stream: see process/served.hpp.
  [[nodiscard]] bool serves() const { return mode_ == wire::InputMode::kServe; }

  /// Begins an entry of `size` bytes. Calls of add() with all of them, and end(), must follow.
  void begin(const Thread& self, const InputCall& call, long result, std::uint64_t size,
             std::uint64_t asked = 0);
  void add(const void* bytes, std::size_t size);
  void end();
  /// The number of a stream in the record. Tells its origin first if it is new there.
  std::uint32_t number_of(const Thread& self, StreamNode& node, int descriptor);

  /// Files that this run has opened for writing. What they contain is no input. Of many, the first
  /// ones are known.
  void record_own_file(std::uint64_t device, std::uint64_t node);
  [[nodiscard]] bool is_own_file(std::uint64_t device, std::uint64_t node) const;

  /// Stops recording, since something comes in that cannot be recorded. The last entry says why.
  void give_up(const Thread& self, const char* why);

  /// What the recorded run answered to `thread` at this clock, if anything.
  RecordedAnswer answer_of(const Thread& thread);
  /// The signal from outside that the recorded run got now; 0: none.
  [[nodiscard]] int signal_now(const Thread& self);

  /// The next recorded input. Ends the run as diverged if it belongs to another call.
  RecordedInput take(Thread& self, const InputCall& call);
  /// The recorded run got something else here than it could have got.
  [[noreturn]] void diverge(Thread& self, const char* why,
                            wire::DivergenceKind kind = wire::DivergenceKind::kInput);
  /// Ends the run as unresolved: it asks for something that was not recorded.
  [[noreturn]] void end_unresolved(Thread& self, const char* why);

 private:
  Scheduler& scheduler_;
  RunHost& host_;
  Streams& streams_;
  wire::InputMode mode_;
  wire::Stream& stream_;
  std::byte* const buffer_;
  std::size_t partial_ = 0;  // bytes of the word that is being written
  [[nodiscard]] const wire::InputHead* next_entry();

  std::uint64_t& taken_;  // words that were taken before the first thread
  const std::uint64_t* first_;
  const std::uint64_t* next_;
  const std::uint64_t* end_;
  // Answers that were looked up, by thread.
  struct Known {
    std::uint32_t thread = 0;
    wire::Clock clock;
    RecordedAnswer answer;
    bool is_set = false;
  };
  static constexpr std::uint32_t kMostKnown = 64;
  Known known_[kMostKnown];
  struct File {
    std::uint64_t device = 0;
    std::uint64_t node = 0;
  };
  static constexpr std::uint32_t kMostOwnFiles = 1024;
  File own_files_[kMostOwnFiles];
  std::uint32_t own_file_count_ = 0;
};

}  // namespace unravel
