/// Threads that can run and do not, in the order in which they came: preempted, woken or created.
///
/// Clock form takes its head wherever it names no thread, as a uniprocessor's dispatcher would.
#pragma once

#include "runtime/core/thread.hpp"

namespace unravel {

class RunQueue {
 public:
  [[nodiscard]] Thread* head() const { return first_; }

  /// At the tail; a thread that is in it already keeps its place.
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
