/// What comes from outside the process: descriptors, children, signals, and the time that passes
/// while threads wait for them. It takes effect only when it is recorded; a strict replay waits for
/// what the schedule recorded.
#pragma once

#include "runtime/core/deadlines.hpp"
#include "runtime/core/endings.hpp"
#include "runtime/core/run_record.hpp"
#include "runtime/core/run_state.hpp"
#include "runtime/core/shared_objects.hpp"

namespace unravel {

class OutsideEvents {
 public:
  OutsideEvents(RunState& state, RunRecord& record, Deadlines& deadlines, SharedObjects& objects,
                Endings& endings)
      : state_(state),
        record_(record),
        deadlines_(deadlines),
        objects_(objects),
        endings_(endings) {}

  void begin() { next_sample_ = kSampleEvery; }

  /// The object that threads contend for while they wait for something outside.
  [[nodiscard]] const void* object() const { return this; }
  /// One of our own operations may have changed something that others wait for outside.
  void changed();

  /// What the same call of `self` on something outside returned in the recorded run; null: not
  /// known.
  const wire::Choice* recorded_answer(const Thread& self);
  /// Records what the call returned now.
  void answered(const Thread& self, const wire::Choice* recorded, std::uint64_t value);

  /// Ends the run: what comes from outside is not what came in the recorded run.
  [[noreturn]] void diverge(Thread& self, const char* why, wire::DivergenceKind kind,
                            const wire::Slice* expected = nullptr);
  /// Ends the run as unresolved: it asks for something that was not recorded.
  [[noreturn]] void give_up(Thread& self, const char* why);

  /// From now on signals are looked for at every point: those of a record are due at some of them.
  void watch_signals() { watches_signals_ = true; }
  [[nodiscard]] bool watches_signals() const { return watches_signals_; }
  /// Delivers those that are due at this point.
  void look_for_signals(Thread& self);

  /// The schedule gives the turn to `next`, which still waits for something outside. Returns when
  /// `next` can go on.
  void await(Thread& self, Thread& next);
  /// Applies the outside events that the schedule has for this point.
  void follow(Thread& self);
  /// Delivers the signals that have come. Returns whether there were any.
  bool take_signals(Thread& self);
  /// Lets every thread that waits for something outside, or in shared memory, try again.
  void retry(const Thread* except = nullptr);
  /// Whether the next sample is due: threads that can run for ever must not keep others from what
  /// they wait for outside.
  [[nodiscard]] bool is_sample_due() const { return state_.slot->steps >= next_sample_; }
  void sample(Thread& self);

 private:
  // Points between two samples of outside events while threads can run. Chosen by hand.
  static constexpr std::uint64_t kSampleEvery = 1000;

  void follow_choice(Thread& self, const wire::Choice& choice);
  void follow_signals(Thread& self);

  RunState& state_;
  RunRecord& record_;
  Deadlines& deadlines_;
  SharedObjects& objects_;
  Endings& endings_;
  std::uint64_t next_sample_ = 0;  // the step of the next sample
  bool watches_signals_ = false;
};

}  // namespace unravel
