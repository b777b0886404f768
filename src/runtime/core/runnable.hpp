/// Which threads can run, in which order they queue, and which one has the turn.
#pragma once

#include "runtime/core/run_queue.hpp"
#include "runtime/core/thread.hpp"
#include "runtime/core/thread_set.hpp"

namespace unravel {

class Runnable {
 public:
  [[nodiscard]] bool contains(const Thread& thread) const { return set_.contains(thread.slot); }
  [[nodiscard]] bool empty() const { return set_.empty(); }
  [[nodiscard]] std::uint32_t count() const { return set_.count(); }
  [[nodiscard]] const ThreadSet& set() const { return set_; }
  /// All threads that can run, except the one that has the turn, in queue order.
  [[nodiscard]] RunQueue& queue() { return queue_; }
  /// The thread that has the turn; null before the first one.
  [[nodiscard]] const Thread* running() const { return running_; }

  /// Sets whether `thread` can run.
  void set(Thread& thread, bool can_run) {
    set_.set(thread.slot, can_run);
    if (&thread == running_) return;
    can_run ? queue_.push(thread) : queue_.remove(thread);
  }
  /// The same for the thread that has the turn: it enters the queue only when it gives up the turn.
  void set_running(const Thread& self, bool can_run) { set_.set(self.slot, can_run); }
  /// `self` gives the turn to `next`.
  void pass_turn(Thread& self, Thread& next) {
    queue_.remove(next);
    if (contains(self)) queue_.push(self);
    running_ = &next;
  }
  /// `thread` has the turn, without another thread to take it from.
  void adopt(Thread& thread) {
    running_ = &thread;
    set(thread, true);
  }

 private:
  ThreadSet set_;
  RunQueue queue_;
  const Thread* running_ = nullptr;
};

}  // namespace unravel
