// Shape: the fallback of a lazy set-up. Lines that are logged before the log is open are kept
// aside.
//
// Bug: nothing guards the lines that are kept aside. Two of them may take the same place.
//
// Needs: two levels. Both lines come before the log is open: only then are they kept aside. One
// thread is preempted between its look at the count and its write of it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kRoom = 4;

static std::atomic<bool> is_open;
static std::mutex lock;
static int written;
static int early[kRoom];
static int early_count;

static void open_log() {
  std::lock_guard guard(lock);
  written = 1;  // the title
  is_open.store(true);
}

static void keep_aside(int line) {
  const int place = early_count;
  early[place] = line;
  early_count = place + 1;
}

static void log_line(int line) {
  if (!is_open.load()) {
    keep_aside(line);
    return;
  }
  std::lock_guard guard(lock);
  ++written;
}

int main() {
  std::thread opener(open_log);
  std::thread one(log_line, 11);
  std::thread two(log_line, 22);
  opener.join();
  one.join();
  two.join();
  assert(written + early_count == 3);
}
