/// The threads that can run and do not have the turn, in the order in which they were preempted,
/// woken or created.
///
/// Clock form takes the head of the queue wherever it names no thread, like the dispatcher of a
/// uniprocessor.
#pragma once

#include "runtime/core/thread.hpp"

namespace unravel {

class RunQueue {
 public:
  [[nodiscard]] Thread* head() const { return first_; }

  /// Appends the thread; one that is already in the queue keeps its place.
  void push(Thread& thread) {
    if (thread.queue.is_in) return;
    thread.queue.is_in = true;
    thread.queue.next = nullptr;
    thread.queue.previous = last_;
    (last_ ? last_->queue.next : first_) = &thread;
    last_ = &thread;
  }

  void remove(Thread& thread) {
    if (!thread.queue.is_in) return;
    thread.queue.is_in = false;
    Thread* before = thread.queue.previous;
    Thread* after = thread.queue.next;
    (before ? before->queue.next : first_) = after;
    (after ? after->queue.previous : last_) = before;
  }

 private:
  Thread* first_ = nullptr;
  Thread* last_ = nullptr;
};

}  // namespace unravel
