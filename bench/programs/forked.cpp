// A short program with a few threads: one run of it under control, or many forked children
// without.
//
//   forked LEVEL THREADS PAIRS                      under control: one run
//   forked uncontrolled LEVEL THREADS HAND_OVERS RUNS
//       forks RUNS children, one after the other, and prints the nanoseconds per child
//
// LEVEL says how much of the program there is:
//   nothing   no thread (under control: its creation fails, so that there is a run)
//   create    threads are created; the process ends without them
//   join      threads are created, end at once, and are joined
//   work      threads lock and unlock one mutex PAIRS times; without control, they make
//             HAND_OVERS hand-overs in a ring
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "common/bare_ring.hpp"
#include "common/raw_clock.hpp"

namespace {

using unravel::bench::BareRing;
using unravel::bench::raw_nanoseconds;

enum class Level { kNothing, kCreate, kJoin, kWork };

Level level_named(const char* name) {
  if (std::strcmp(name, "nothing") == 0) return Level::kNothing;
  if (std::strcmp(name, "create") == 0) return Level::kCreate;
  if (std::strcmp(name, "join") == 0) return Level::kJoin;
  return Level::kWork;
}

int pairs;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void* lock_and_unlock(void*) {
  for (int i = 0; i < pairs; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}

BareRing* ring;

void* hand_over(void* self) {
  ring->take_turns(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(self)));
  return nullptr;
}

void* end_at_once(void*) { return nullptr; }

void fail_to_create() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{1} << 47);  // all that a process can have
  pthread_t thread;
  if (pthread_create(&thread, &attributes, end_at_once, nullptr) == 0) std::abort();
}

void create(std::vector<pthread_t>& threads, void* (*routine)(void*)) {
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (pthread_create(&threads[i], nullptr, routine, reinterpret_cast<void*>(i)) != 0)
      std::abort();
  }
}

void join(const std::vector<pthread_t>& threads) {
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

void be_child(Level level, std::vector<pthread_t>& threads) {
  switch (level) {
    case Level::kNothing: return;
    case Level::kCreate: return create(threads, end_at_once);
    case Level::kJoin: create(threads, end_at_once); return join(threads);
    case Level::kWork: create(threads, hand_over); return join(threads);
  }
}

int fork_children(Level level, std::size_t thread_count, std::uint64_t hand_overs, int runs) {
  std::vector<pthread_t> threads(thread_count);
  BareRing its_ring(static_cast<std::uint32_t>(thread_count), hand_overs);
  ring = &its_ring;
  const std::uint64_t began = raw_nanoseconds();
  for (int i = 0; i < runs; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      be_child(level, threads);
      std::exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  const std::uint64_t took = raw_nanoseconds() - began;
  std::printf("%llu\n", static_cast<unsigned long long>(took) / static_cast<unsigned>(runs));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 6) {
    return fork_children(level_named(argv[2]), static_cast<std::size_t>(std::atoi(argv[3])),
                         std::strtoull(argv[4], nullptr, 10), std::atoi(argv[5]));
  }
  if (argc != 4) return 2;
  const Level level = level_named(argv[1]);
  std::vector<pthread_t> threads(static_cast<std::size_t>(std::atoi(argv[2])));
  pairs = std::atoi(argv[3]);
  switch (level) {
    case Level::kNothing: fail_to_create(); break;
    case Level::kCreate: create(threads, lock_and_unlock); break;
    case Level::kJoin:
    case Level::kWork:
      create(threads, lock_and_unlock);
      join(threads);
      break;
  }
}
