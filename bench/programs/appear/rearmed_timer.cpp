// Shape: a timer whose callback arms it again, and which is cancelled meanwhile. Who cancels during
// the callback tells it so, and the callback waits until that is over.
//
// Bug: the callback looks without the lock whether it is being cancelled, and then waits without
// looking again. The wake-up may come before the wait.
//
// Needs: three levels. The timer is cancelled during its callback: only then is there a
// cancellation to wait for. The callback looks before that is over: only then does it wait. It is
// preempted between its look and its wait, until the other thread has notified.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable cancellation_over;
static bool armed = true;
static bool running;
static bool cancelling;
static bool cancelled;
static int fired;

static void arm_again() {
  if (cancelling) {
    std::unique_lock guard(lock);
    cancellation_over.wait(guard);
    return;
  }
  std::lock_guard guard(lock);
  armed = !cancelled;
}

static void fire() {
  {
    std::lock_guard guard(lock);
    if (!armed) return;
    armed = false;
    running = true;
  }
  ++fired;
  arm_again();
  std::lock_guard guard(lock);
  running = false;
}

static void cancel() {
  {
    std::lock_guard guard(lock);
    cancelled = true;
    armed = false;
    if (!running) return;
    cancelling = true;
  }
  std::lock_guard guard(lock);
  cancelling = false;
  cancellation_over.notify_one();
}

int main() {
  std::thread timer(fire);
  std::thread canceller(cancel);
  timer.join();
  canceller.join();
  assert(fired <= 1);
}
