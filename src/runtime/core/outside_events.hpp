/// What comes from outside the process: descriptors, children, signals, and the time that passes
/// meanwhile. It counts only when it is recorded, and a strict replay waits for what the schedule
/// says came.
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

  /// What threads that wait for something outside contend for.
  [[nodiscard]] const void* object() const { return this; }
  /// One of our own operations may have changed what others wait for outside.
  void changed();

  /// What a call of `self` on something outside answered when the run was recorded that this one
  /// repeats; null: nothing is known of it.
  const wire::Choice* recorded_answer(const Thread& self);
  /// What it answered now.
  void answered(const Thread& self, const wire::Choice* recorded, std::uint64_t value);

  /// The schedule gives the turn to `next`, which still waits for something outside: returns when
  /// it can go on.
  void await(Thread& self, Thread& next);
  /// Makes happen what came here, as the schedule has it.
  void follow(Thread& self);
  /// Delivers the signals that came by now. Whether there were any.
  bool take_signals(Thread& self);
  /// Lets every thread try again that waits for something outside, also for a thing in memory.
  void retry(const Thread* except = nullptr);
  /// Whether the step has come at which to sample again: threads that can run for ever must not
  /// keep others from what they wait for outside.
  [[nodiscard]] bool is_sample_due() const { return state_.slot->steps >= next_sample_; }
  void sample(Thread& self);

 private:
  // Points between two samples of what came from outside while threads can run.
  static constexpr std::uint64_t kSampleEvery = 1000;

  void follow_choice(Thread& self, const wire::Choice& choice);

  RunState& state_;
  RunRecord& record_;
  Deadlines& deadlines_;
  SharedObjects& objects_;
  Endings& endings_;
  std::uint64_t next_sample_ = 0;  // the step of the next sample
};

}  // namespace unravel
