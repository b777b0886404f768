/// How a run ends before its program does: its threads are stuck, they get nowhere, the schedule
/// cannot be followed, or a limit is reached. Each ending fills in the run's last words.
#pragma once

#include "runtime/core/object_table.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class Endings {
 public:
  Endings(RunState& state, ObjectTable& objects) : state_(state), objects_(objects) {}

  /// Ends the run if `self`, which is blocked, closes a cycle that no other thread can break.
  void deadlock_if_closed_by(Thread& self);
  /// No thread can ever run again.
  [[noreturn]] void stuck();
  /// The run comes back to the same state for ever.
  [[noreturn]] void livelock(const Thread& self);
  [[noreturn]] void diverged(const Thread& self, const Decision& decision);
  [[noreturn]] void limit(const Thread& self, const char* text);
  /// Ends the run as unresolved: `why` is a limit of ours, not of the program's.
  [[noreturn]] void give_up(const Thread& self, const char* why);

 private:
  void end_if_cycle();
  [[noreturn]] void end_with(wire::LastWords::Kind kind, wire::FailureKind failure,
                             const Thread& thread, const char* text);

  RunState& state_;
  ObjectTable& objects_;
};

}  // namespace unravel
