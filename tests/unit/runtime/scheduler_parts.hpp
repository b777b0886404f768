/// The parts of the scheduler on a run without a program, each to be tried without the others'
/// doing.
#pragma once

#include "runtime/core/deadlines.hpp"
#include "runtime/core/endings.hpp"
#include "runtime/core/outside_events.hpp"
#include "runtime/core/progress.hpp"
#include "runtime/core/shared_objects.hpp"
#include "runtime/core/spin_loops.hpp"
#include "unit/runtime/parts_fixture.hpp"

namespace unravel {

class SchedulerPartsTest : public PartsTest {
 protected:
  /// A thread that sleeps until `deadline`.
  Thread& sleeper(std::uint64_t deadline) {
    Thread& thread = make_thread();
    thread.pending = {.kind = wire::Operation::kSleep, .deadline = deadline, .due = deadline};
    state_.runnable.set(thread, false);
    deadlines_.add(thread);
    return thread;
  }

  Countdowns countdowns_;
  RunRecord record_{state_};
  HookWatch hooks_{state_, countdowns_};
  Deadlines deadlines_{state_, record_, hooks_};
  SharedObjects objects_{state_, deadlines_, arena_};
  Endings endings_{state_, objects_};
  Progress progress_{state_, deadlines_, endings_};
  SpinLoops spins_{state_, objects_};
  OutsideEvents outside_{state_, record_, deadlines_, objects_, endings_};
};

}  // namespace unravel
