// A pthread barrier before and behind every reading, so that nobody writes what another still
// reads.
#include <pthread.h>

#include <cassert>
#include <thread>

constexpr int kThreads = 3;
constexpr int kPhases = 2;

static pthread_barrier_t all_here;
static int cells[kThreads];

static void work(int self) {
  for (int phase = 1; phase <= kPhases; ++phase) {
    cells[self] = phase;
    pthread_barrier_wait(&all_here);
    assert(cells[(self + 1) % kThreads] == phase);
    pthread_barrier_wait(&all_here);
  }
}

int main() {
  pthread_barrier_init(&all_here, nullptr, kThreads);
  std::thread first(work, 0);
  std::thread second(work, 1);
  std::thread third(work, 2);
  first.join();
  second.join();
  third.join();
  pthread_barrier_destroy(&all_here);
}
