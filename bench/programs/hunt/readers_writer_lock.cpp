// Family: read_write_lock of the SCTBench collection: a lock for many readers or one writer, made
// by hand.
//
// Bug: a writer waits until there are no readers under one hold of the mutex, and says that it
// writes under the next. A reader that comes between the two reads while it writes.
//
// Needs: 2 preemptions, of the writer between the two, and of the reader between its two reads,
// until both are written.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class ReadersWriterLock {
 public:
  void begin_read() {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [this] { return !writing_; });
    ++readers_;
  }
  void end_read() {
    std::lock_guard guard(mutex_);
    --readers_;
    changed_.notify_all();
  }
  void begin_write() {
    {
      std::unique_lock guard(mutex_);
      changed_.wait(guard, [this] { return !writing_ && readers_ == 0; });
    }
    std::lock_guard guard(mutex_);
    writing_ = true;
  }
  void end_write() {
    std::lock_guard guard(mutex_);
    writing_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool writing_ = false;
};

static ReadersWriterLock lock;
static int x;
static int y;

static void write_both() {
  lock.begin_write();
  ++x;
  ++y;
  lock.end_write();
}

static void read_both() {
  lock.begin_read();
  const int seen_x = x;
  const int seen_y = y;
  assert(seen_x == seen_y);
  lock.end_read();
}

int main() {
  std::thread writer(write_both);
  std::thread reader(read_both);
  std::thread reader_too(read_both);
  writer.join();
  reader.join();
  reader_too.join();
}
