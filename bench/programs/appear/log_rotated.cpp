// Shape: a log is rotated while a line is written. The late line gets memory of its own, and the
// thread that flushes puts it into the old file.
//
// Bug: the late line is published before its text is there.
//
// Needs: two levels. The log is rotated between the writer's look at the file and its lock: only
// then is there a late line. The writer is preempted between the publication and the text, until
// the flushing thread has read the line.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

struct LateLine {
  int file;
  int text;
};

static std::mutex lock;
static std::atomic<int> current_file = 1;
static int lines_of[3];
static std::atomic<LateLine*> late;

static void write_line() {
  const int file = current_file.load();
  {
    std::lock_guard guard(lock);
    if (file == current_file.load()) {
      ++lines_of[file];
      return;
    }
  }
  auto* line = static_cast<LateLine*>(std::calloc(1, sizeof(LateLine)));
  late.store(line);
  line->file = file;
  line->text = 42;
}

static void rotate() {
  std::lock_guard guard(lock);
  ++current_file;
}

static void flush() {
  LateLine* line = late.exchange(nullptr);
  if (line == nullptr) return;
  assert(line->text == 42);
  std::lock_guard guard(lock);
  ++lines_of[line->file];
  std::free(line);
}

int main() {
  std::thread writer(write_line);
  std::thread rotator(rotate);
  std::thread flusher(flush);
  writer.join();
  rotator.join();
  flusher.join();
  flush();
  assert(lines_of[1] + lines_of[2] == 1);
}
