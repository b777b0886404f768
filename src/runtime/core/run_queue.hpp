/// Threads that can run and do not, in the order in which they came: preempted, woken or created.
///
/// Clock form takes the head of it wherever it names nobody, as a uniprocessor's dispatcher would.
#pragma once

#include "runtime/core/thread.hpp"

namespace unravel {

class RunQueue {
 public:
  [[nodiscard]] Thread* head() const { return first_; }

  /// At the tail; whoever is in it already keeps its place.
  void push(Thread& thread) {
    if (thread.queued) return;
    thread.queued = true;
    thread.queue_next = nullptr;
    thread.queue_previous = last_;
    (last_ ? last_->queue_next : first_) = &thread;
    last_ = &thread;
  }

  void remove(Thread& thread) {
    if (!thread.queued) return;
    thread.queued = false;
    Thread* before = thread.queue_previous;
    Thread* after = thread.queue_next;
    (before ? before->queue_next : first_) = after;
    (after ? after->queue_previous : last_) = before;
  }

 private:
  Thread* first_ = nullptr;
  Thread* last_ = nullptr;
};

}  // namespace unravel
