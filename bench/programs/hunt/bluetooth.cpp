// Family: the Bluetooth driver of the KISS paper, known from many collections.
//
// Bug: a request looks at the stop flag and only then counts itself as pending. If the driver is
// stopped between the two, the request works on a stopped driver.
//
// Needs: 2 preemptions, to the request before the driver is stopped, and from the request behind
// its look at the flag to the stopping thread.
#include <semaphore.h>

#include <cassert>
#include <mutex>
#include <thread>

static bool stopping;
static bool stopped;
static std::mutex lock;
static int pending = 1;  // the driver itself counts as one
static sem_t nothing_pending;

static bool begin_request() {
  if (stopping) return false;
  std::lock_guard guard(lock);
  ++pending;
  return true;
}

static void end_request() {
  std::lock_guard guard(lock);
  if (--pending == 0) sem_post(&nothing_pending);
}

static void request() {
  if (!begin_request()) return;
  assert(!stopped);
  end_request();
}

static void stop() {
  stopping = true;
  end_request();
  sem_wait(&nothing_pending);
  stopped = true;
}

int main() {
  sem_init(&nothing_pending, 0, 0);
  std::thread requests(request);
  stop();
  requests.join();
}
