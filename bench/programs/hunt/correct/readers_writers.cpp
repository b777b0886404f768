// A lock for many readers or one writer, made by hand of a mutex and a condition variable.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int readers;
static bool writing;
static int x;
static int y;

static void write_both() {
  {
    std::unique_lock guard(mutex);
    changed.wait(guard, [] { return !writing && readers == 0; });
    writing = true;
  }
  ++x;
  ++y;
  std::lock_guard guard(mutex);
  writing = false;
  changed.notify_all();
}

static void read_both() {
  {
    std::unique_lock guard(mutex);
    changed.wait(guard, [] { return !writing; });
    ++readers;
  }
  assert(x == y);
  std::lock_guard guard(mutex);
  if (--readers == 0) changed.notify_all();
}

int main() {
  std::thread writer(write_both);
  std::thread writer_too(write_both);
  std::thread reader(read_both);
  std::thread reader_too(read_both);
  writer.join();
  writer_too.join();
  reader.join();
  reader_too.join();
  assert(x == 2 && y == 2);
}
