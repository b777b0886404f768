// Family: a barrier between two phases where two are needed (phase programs of the collections).
//
// Bug: the barrier tells the reader that the value is there, but nothing tells the writer that it
// has been read. The writer goes on to the next phase and writes over it.
//
// Needs: no preemption when the reader is at the barrier first; else 1, of the reader behind it.
#include <pthread.h>

#include <cassert>
#include <thread>

constexpr int kPhases = 2;

static pthread_barrier_t written;
static int value;

static void write_phases() {
  for (int phase = 1; phase <= kPhases; ++phase) {
    value = phase;
    pthread_barrier_wait(&written);
  }
}

static void read_phases() {
  for (int phase = 1; phase <= kPhases; ++phase) {
    pthread_barrier_wait(&written);
    assert(value == phase);
  }
}

int main() {
  pthread_barrier_init(&written, nullptr, 2);
  std::thread writer(write_phases);
  std::thread reader(read_phases);
  writer.join();
  reader.join();
}
