// A queue of numbers whose links are locked, but not its head and tail. If a number is enqueued
// while the only other one is being dequeued, it is linked to what leaves the queue, and lost.
//
// expect: assert
// within: random, 300 runs
// bug: enqueue, dequeue
// flags: -fsanitize=thread
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

// After figure 2 of Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002.
class IntQueue {
 public:
  void enqueue(int element) {
    link_[element] = 0;
    if (head_ == 0) {
      head_ = element;
    } else {
      const std::lock_guard guard(mutex_);
      link_[tail_] = element;
    }
    tail_ = element;
  }

  int dequeue() {
    const int element = head_;
    if (element == tail_) tail_ = 0;
    const std::lock_guard guard(mutex_);
    head_ = link_[head_];
    return element;
  }

  bool holds(int element) const {
    int at = head_;
    while (at != 0 && at != element) at = link_[at];
    return at == element;
  }

 private:
  // Numbers from 1 to 99; the link of each is its successor. 0 is none.
  int link_[100] = {};
  int head_ = 0;
  int tail_ = 0;
  std::mutex mutex_;
};

IntQueue queue;

}  // namespace

int main() {
  std::thread c;
  std::thread a([&] {
    queue.enqueue(11);
    c = std::thread(&IntQueue::enqueue, &queue, 95);
  });
  std::thread b(&IntQueue::dequeue, &queue);
  a.join();
  b.join();
  c.join();
  assert(queue.holds(95));
  std::puts("ok");
}
