// Family: the lost notification, in every collection.
//
// Bug: the flag is read without the mutex, and set without it. If it is set and the waiter
// signalled between its look and its wait, it waits for ever.
//
// Needs: 1 preemption, of the waiter between its look and its wait.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

static void wait_until_ready() {
  if (ready) return;
  std::unique_lock guard(lock);
  changed.wait(guard);
}

static void become_ready() {
  ready = true;
  changed.notify_one();
}

int main() {
  std::thread waiter(wait_until_ready);
  std::thread setter(become_ready);
  waiter.join();
  setter.join();
}
