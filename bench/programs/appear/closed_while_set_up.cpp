// Shape: an error path. A connection is closed while it is set up. Both threads then clean up.
//
// Bug: both look without the lock whether the buffer is still there. Both may give it back.
//
// Needs: two levels. The connection is closed between the two steps of setting up: only then is
// give_back_buffer() called. One of the two threads is preempted in it, between its look at the
// buffer and its write.
#include <cassert>
#include <mutex>
#include <thread>

enum class State { kNew, kConnecting, kOpen, kClosed };

static std::mutex lock;
static State state = State::kNew;
static bool has_buffer;
static int buffers_in_use;
static int handshakes;

static void give_back_buffer() {
  if (!has_buffer) return;
  has_buffer = false;
  std::lock_guard guard(lock);
  --buffers_in_use;
}

static void set_up() {
  {
    std::lock_guard guard(lock);
    if (state == State::kClosed) return;
    state = State::kConnecting;
    has_buffer = true;
    ++buffers_in_use;
  }
  ++handshakes;
  {
    std::lock_guard guard(lock);
    if (state == State::kConnecting) {
      state = State::kOpen;
      return;
    }
  }
  give_back_buffer();  // it was closed in the meantime
}

static void close_connection() {
  State before = State::kNew;
  {
    std::lock_guard guard(lock);
    before = state;
    state = State::kClosed;
    if (before == State::kOpen) {
      has_buffer = false;
      --buffers_in_use;
    }
  }
  if (before == State::kConnecting) give_back_buffer();
}

int main() {
  std::thread opener(set_up);
  std::thread closer(close_connection);
  opener.join();
  closer.join();
  assert(buffers_in_use == 0);
}
