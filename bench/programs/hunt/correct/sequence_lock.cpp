// A sequence lock: one writer, and readers that read again when the sequence was odd or has
// changed.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence = 0;
static std::atomic<int> x = 0;
static std::atomic<int> y = 0;

static void write_pairs() {
  for (int value = 1; value <= 2; ++value) {
    sequence.fetch_add(1);
    x.store(value);
    y.store(-value);
    sequence.fetch_add(1);
  }
}

static void read_pair() {
  for (;;) {
    const unsigned before = sequence.load();
    if (before % 2 == 1) continue;
    const int seen_x = x.load();
    const int seen_y = y.load();
    if (sequence.load() != before) continue;
    assert(seen_x == -seen_y);
    return;
  }
}

int main() {
  std::thread writer(write_pairs);
  std::thread reader(read_pair);
  std::thread reader_too(read_pair);
  writer.join();
  reader.join();
  reader_too.join();
}
