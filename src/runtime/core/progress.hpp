/// Whether the threads of a run make progress: when scheduling turns fair, and when a livelock is
/// proved.
#pragma once

#include "runtime/core/deadlines.hpp"
#include "runtime/core/endings.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class Progress {
 public:
  Progress(RunState& state, const Deadlines& deadlines, Endings& endings)
      : state_(state), deadlines_(deadlines), endings_(endings) {}

  /// A thread did something that may let another one go on.
  void made() {
    fruitless_ = 0;
    rounds_.counted = false;
  }
  /// A yield, or an attempt that failed.
  void failed() { ++fruitless_; }

  /// Whether there was no progress for so long that each thread gets a turn.
  [[nodiscard]] bool is_fair() const { return fruitless_ > kFairAfter * state_.threads.alive(); }
  /// While scheduling is fair, sleepers get a turn now and then: spinning threads may wait for one.
  [[nodiscard]] bool is_sleepers_turn() const {
    return fruitless_ % (2 * state_.threads.alive()) == 0;
  }

  /// Ends the run if a livelock is proved. `self` is about to give up its turn.
  void check_for_livelock(Thread& self, Leave leave);

 private:
  // Yields and failed attempts in a row, per thread, before scheduling turns fair: a rule may
  // switch between two spinners while the thread that both wait for never runs. Chosen by hand,
  // long enough that most rules find that thread first.
  static constexpr std::uint64_t kFairAfter = 20;

  // Rounds of fair round-robin without progress, counted by the turns of one thread.
  struct Rounds {
    bool counted = false;
    std::uint32_t thread = 0;  // its ordinal
    std::uint64_t turns = 0;
    std::uint64_t length = 0;  // the rounds after which the state is compared again
  };

  [[nodiscard]] std::uint64_t state_of_threads() const;

  RunState& state_;
  const Deadlines& deadlines_;
  Endings& endings_;
  std::uint64_t fruitless_ = 0;  // yields and failed attempts since the last progress
  Rounds rounds_;
};

}  // namespace unravel
