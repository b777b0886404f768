// Family: the work-stealing queue of the CHESS collection, in the manner of Cilk's THE protocol.
//
// Bug: the thief looks at the tail before it moves the head, not after. With one item left the
// owner may take it between the two, and then both have it.
//
// Needs: 2 preemptions, of the owner while the queue has items, and of the thief behind its look,
// until the owner has taken the last item.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kItems = 4;

class Queue {
 public:
  void push(int item) {
    const int tail = tail_.load();
    items_[tail] = item;
    tail_.store(tail + 1);
  }

  /// By the owner, from the tail; -1 if there is none.
  int take() {
    const int tail = tail_.load() - 1;
    tail_.store(tail);
    if (head_.load() <= tail) return items_[tail];
    tail_.store(tail + 1);  // a thief may be at the same item: once more, with the lock
    std::lock_guard guard(lock_);
    tail_.store(tail);
    if (head_.load() <= tail) return items_[tail];
    tail_.store(tail + 1);
    return -1;
  }

  /// By a thief, from the head; -1 if there is none.
  int steal() {
    std::lock_guard guard(lock_);
    const int head = head_.load();
    if (head >= tail_.load()) return -1;
    head_.store(head + 1);
    return items_[head];
  }

 private:
  std::mutex lock_;
  std::atomic<int> head_ = 0;
  std::atomic<int> tail_ = 0;
  int items_[2 * kItems] = {};
};

static Queue queue;
static std::atomic<int> times_done[kItems];

static void work_on(int item) {
  if (item >= 0) assert(++times_done[item] == 1);
}

static void own() {
  for (int item = 0; item < kItems; item += 2) {
    queue.push(item);
    queue.push(item + 1);
    work_on(queue.take());
  }
  work_on(queue.take());
  work_on(queue.take());
}

static void steal() {
  for (int i = 0; i < kItems / 2; ++i) work_on(queue.steal());
}

int main() {
  std::thread owner(own);
  std::thread thief(steal);
  owner.join();
  thief.join();
}
