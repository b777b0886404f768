/// A thread's life: it is created, parks at the point before its start, runs, and ends.
#pragma once

#include "runtime/core/turns.hpp"

namespace unravel {

class ThreadLife {
 public:
  ThreadLife(RunState& state, Turns& turns, const Turns::Parts& parts)
      : state_(state),
        turns_(turns),
        hooks_(parts.hooks),
        objects_(parts.objects),
        progress_(parts.progress) {}

  /// Makes a thread that cannot run yet. Null: too many are alive.
  Thread* make();
  /// Drops a thread whose creation failed.
  void drop(Thread& thread);
  /// `thread` has parked at the point before its start. `site` is where it was created.
  void ready(Thread& thread, const void* site);
  /// `self` has the turn for the first time.
  void start(Thread& self) {
    if (state_.recorder.on()) state_.recorder.turn(self);
    turns_.did(self, self.pending, wire::EventResult::kDone, 0);
  }
  /// Gives `thread` the turn without taking it from another one.
  void adopt(Thread& thread);
  /// The program begins: the clock of its only thread does not count what came before.
  void count_from_here(Thread& thread);
  /// The last act of the calling thread: passes the turn on. Returns false if no thread is left to
  /// take it.
  bool end(Thread& self);

 private:
  RunState& state_;
  Turns& turns_;
  HookWatch& hooks_;
  SharedObjects& objects_;
  Progress& progress_;
};

}  // namespace unravel
