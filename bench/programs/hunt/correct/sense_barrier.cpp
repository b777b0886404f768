// A sense-reversing barrier of three threads that spin: what one wrote before it, all see behind
// it.
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kThreads = 3;
constexpr int kPhases = 2;

static std::atomic<int> missing = kThreads;
static std::atomic<bool> sense = false;
static int cells[kThreads][kPhases];

static void arrive(bool& own_sense) {
  own_sense = !own_sense;
  if (missing.fetch_sub(1) == 1) {
    missing.store(kThreads);
    sense.store(own_sense);
    return;
  }
  while (sense.load() != own_sense) {
  }
}

static void work(int self) {
  bool own_sense = false;
  for (int phase = 0; phase < kPhases; ++phase) {
    cells[self][phase] = phase + 1;
    arrive(own_sense);
    for (int other = 0; other < kThreads; ++other) assert(cells[other][phase] == phase + 1);
  }
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  std::thread third(work, 2);
  first.join();
  second.join();
  third.join();
}
