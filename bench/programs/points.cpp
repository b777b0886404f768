// Passes many points, with or without a switch at each, and prints how many nanoseconds of
// processor time that took. All threads stay alive until the last one is done.
//
//   points yield THREADS TOTAL   TOTAL yields, by turns: under the rule stay, a switch each
//   points lock  THREADS TOTAL   TOTAL times lock and unlock, each thread its own mutex: three
//                                points, none of which is a switch under the rule stay
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "common/raw_clock.hpp"

namespace {

using unravel::bench::processor_nanoseconds;
using unravel::bench::raw_nanoseconds;

// Yields alone are taken for a livelock. Fewer than the number after which scheduling turns fair.
constexpr std::uint64_t kYieldsWithoutProgress = 16;

bool yields;
std::uint64_t times;  // of each thread
pthread_barrier_t all_done;

struct alignas(64) RunnerLease {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread = {};
  std::uint64_t began = 0;
  std::uint64_t ended = 0;
  bool first = false;
};

void lock_and_unlock(RunnerLease& self) {
  pthread_mutex_lock(&self.mutex);
  pthread_mutex_unlock(&self.mutex);
}

void* work(void* argument) {
  RunnerLease& self = *static_cast<RunnerLease*>(argument);
  lock_and_unlock(self);  // the first touch of its memory is not what is asked for
  if (yields) {
    self.began = processor_nanoseconds();
    for (std::uint64_t i = 1; i <= times; ++i) {
      sched_yield();
      if (self.first && i % kYieldsWithoutProgress == 0) lock_and_unlock(self);
    }
    self.ended = processor_nanoseconds();
  } else {
    // One thread after the other: what it takes to come to the next one is left out.
    self.began = raw_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    for (std::uint64_t i = 0; i < times; ++i) lock_and_unlock(self);
    self.ended = raw_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
  }
  pthread_barrier_wait(&all_done);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  yields = std::strcmp(argv[1], "yield") == 0;
  const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
  times = std::strtoull(argv[3], nullptr, 10) / threads;
  pthread_barrier_init(&all_done, nullptr, threads);

  std::vector<RunnerLease> workers(threads);
  workers[0].first = true;
  for (RunnerLease& worker : workers) pthread_create(&worker.thread, nullptr, work, &worker);
  for (const RunnerLease& worker : workers) pthread_join(worker.thread, nullptr);

  std::uint64_t began = ~std::uint64_t{0};
  std::uint64_t ended = 0;
  std::uint64_t sum = 0;
  for (const RunnerLease& worker : workers) {
    began = std::min(began, worker.began);
    ended = std::max(ended, worker.ended);
    sum += worker.ended - worker.began;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(yields ? ended - began : sum));
}
