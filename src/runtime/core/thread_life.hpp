/// A thread's life: it is made, parks at the point before its start, runs, and ends.
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

  /// A thread that cannot run yet. Null: too many are alive.
  Thread* make();
  /// It never came to life after all.
  void drop(Thread& thread);
  /// It has parked at the point before its start. `site` is where it was created.
  void ready(Thread& thread, const void* site);
  /// It has the turn for the first time.
  void start(Thread& self) {
    if (state_.recorder.on()) state_.recorder.turn(self);
    turns_.did(self, self.pending, wire::EventResult::kDone, 0);
  }
  /// Makes `thread` the one that has the turn, without another thread to take it from.
  void adopt(Thread& thread);
  /// The program begins: what its only thread did so far is not counted in its clock.
  void count_from_here(Thread& thread);
  /// The calling thread's last act: passes the turn on. False if no thread is left to take it.
  bool end(Thread& self);

 private:
  RunState& state_;
  Turns& turns_;
  HookWatch& hooks_;
  SharedObjects& objects_;
  Progress& progress_;
};

}  // namespace unravel
