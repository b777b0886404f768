// Family: the bounded buffer with one condition variable for those who put and those who take
// (BoundedBuffer of the course and paper collections). Room for one.
//
// Bug: notify_one() may wake one of the same kind, which waits again; then nobody is left to wake
// the other kind, and all wait for ever.
//
// Needs: no preemption, but an order in which both of one kind wait and the first of them that
// goes on wakes the second.
#include <condition_variable>
#include <mutex>
#include <thread>

constexpr int kEach = 2;

static std::mutex lock;
static std::condition_variable changed;
static int elements;

static void put() {
  for (int i = 0; i < kEach; ++i) {
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return elements == 0; });
    ++elements;
    changed.notify_one();
  }
}

static void take() {
  for (int i = 0; i < kEach; ++i) {
    std::unique_lock guard(lock);
    changed.wait(guard, [] { return elements == 1; });
    --elements;
    changed.notify_one();
  }
}

int main() {
  std::thread putting(put);
  std::thread taking(take);
  std::thread putting_too(put);
  std::thread taking_too(take);
  putting.join();
  taking.join();
  putting_too.join();
  taking_too.join();
}
