// Shape: a lock of one word. Who finds it taken makes a monitor in which to wait, as the locks of
// Java's virtual machines do.
//
// Bug: the holder looks whether somebody waits and then marks the monitor as free. Nothing holds
// the two together. Who comes to wait between them is never woken.
//
// Needs: three levels. The second thread comes while the lock is held: only then is there a
// monitor. The holder unlocks before the other one has said that it waits: only then is the monitor
// marked as free. The holder is preempted between its look and its mark, until the other one waits.
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>

struct Monitor {
  bool waiting = false;
  bool free = false;
  sem_t turn;
};

enum Word { kFree, kHeld, kInflated };

static std::atomic<int> word = kFree;
static std::atomic<Monitor*> monitor;
static int guarded;

static void lock() {
  int seen = kFree;
  if (word.compare_exchange_strong(seen, kHeld)) return;
  auto* made = new Monitor;
  sem_init(&made->turn, 0, 0);
  monitor.store(made);
  if (word.exchange(kInflated) == kFree) return;
  made->waiting = true;
  if (!made->free) sem_wait(&made->turn);
}

static void unlock() {
  int seen = kHeld;
  if (word.compare_exchange_strong(seen, kFree)) return;
  Monitor* inflated = monitor.load();
  if (inflated->waiting) {
    sem_post(&inflated->turn);
  } else {
    inflated->free = true;
  }
}

static void count() {
  lock();
  ++guarded;
  unlock();
}

int main() {
  std::thread one(count);
  std::thread two(count);
  one.join();
  two.join();
  assert(guarded == 2);
  delete monitor.load();
}
