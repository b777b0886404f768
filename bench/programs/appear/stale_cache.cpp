// Shape: cache invalidation. A reader that read an old version leaves a wish, and the next writer
// fulfils it.
//
// Bug: a writer looks for a wish without the lock, and does not look again when it has it. The
// reader may have withdrawn its wish.
//
// Needs: three levels. A writer comes between the reader's two looks at the version: only then is
// there a wish. The second writer comes while the wish is there: only then does it fulfil it. It is
// preempted between its look and its lock, until the wish is withdrawn.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Wish {
  int value = 0;
};

static std::mutex lock;
static std::atomic<int> version;
static int source = 10;
static int cached;
static Wish* wish;

static int read_source() {
  std::lock_guard guard(lock);
  return source;
}

static void fill_cache() {
  const int before = version.load();
  const int value = read_source();
  {
    std::lock_guard guard(lock);
    if (version.load() == before) {
      cached = value;
      return;
    }
  }
  auto* mine = new Wish;
  wish = mine;
  std::lock_guard guard(lock);
  cached = mine->value;  // 0 means empty
  wish = nullptr;
  delete mine;
}

static void write_source(int value) {
  {
    std::lock_guard guard(lock);
    source = value;
    ++version;
    cached = 0;
  }
  if (wish == nullptr) return;
  std::lock_guard guard(lock);
  wish->value = value;
}

int main() {
  std::thread reader(fill_cache);
  std::thread writer(write_source, 20);
  std::thread second_writer(write_source, 30);
  reader.join();
  writer.join();
  second_writer.join();
  assert(source != 10);
}
