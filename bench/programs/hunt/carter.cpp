// Family: carter01 of the SCTBench collection: two groups share a resource; the first of a group
// takes it, the last one gives it back.
//
// Bug: the resource is waited for with the lock of the counts in hand, which the other group needs
// to give it back: a deadlock.
//
// Needs: 1 preemption, of one thread while its group has the resource.
#include <mutex>
#include <thread>

static std::mutex counts_lock;
static std::mutex resource;
static int counts[2];

static void use(int group) {
  {
    std::lock_guard guard(counts_lock);
    if (++counts[group] == 1) resource.lock();
  }
  std::lock_guard guard(counts_lock);
  if (--counts[group] == 0) resource.unlock();
}

int main() {
  std::thread first(use, 0);
  std::thread second(use, 1);
  first.join();
  second.join();
}
