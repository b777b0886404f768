/// Appends the decisions of a run to a stream, if the batch asks for them.
///
/// wire/decision.hpp describes the words. The runs of a batch follow each other in one stream; the
/// number of words is raised when a record is whole, so that a run may die at any time.
#pragma once

#include "runtime/core/decide.hpp"
#include "runtime/core/seams.hpp"
#include "runtime/core/thread_table.hpp"
#include "wire/decision.hpp"

namespace unravel {

class DecisionRecord {
 public:
  /// `words` has room for `stream.capacity` of them.
  void use(Host& host, wire::Stream& stream, std::uint64_t* words) {
    host_ = &host;
    stream_ = &stream;
    words_ = words;
  }

  /// A run begins. `on`: its decisions are wanted.
  void begin(bool on, std::uint64_t ordinal);
  [[nodiscard]] bool on() const { return on_; }

  /// Which thread goes on, of those that `view` says could.
  void turn(const View& view, const Decision& decision) {
    if (on_) [[unlikely]]
      add_turn(view, decision);
  }
  /// `chosen` is woken, of `count` waiters from `first` on.
  void waiter(const Thread& chosen, const Thread* first, std::uint32_t count, std::uint64_t step);
  /// The run ends; tells of its live threads. Only the first time counts.
  void end(const ThreadTable& threads, const Thread& current, const ThreadSet& runnable,
           std::uint64_t step);

 private:
  void add_turn(const View& view, const Decision& decision);
  void head(wire::DecisionKind kind, const Thread* chosen, std::uint32_t count, std::uint64_t step,
            bool fires_timeout = false);
  void alternative(const Thread& thread, wire::Ability ability);
  void close() { stream_->count = at_; }

  Host* host_ = nullptr;
  wire::Stream* stream_ = nullptr;
  std::uint64_t* words_ = nullptr;
  std::uint64_t at_ = 0;  // where the record that is being written has come to
  bool on_ = false;
};

}  // namespace unravel
