/// What the kernels of `hooks` share: threads that start together, and a line with the time that
/// the work took and its result.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "common/raw_clock.hpp"

namespace unravel::bench {

/// The only argument: how much work.
inline std::uint64_t size_of_work(int argc, char** argv) {
  const std::uint64_t size = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (size) return size;
  std::fprintf(stderr, "usage: %s SIZE\n", argv[0]);
  std::exit(2);
}

/// To be called before memory is filled: runs are forked off at the first thread, and what was
/// written before that would be copied page by page while the clock runs.
inline void start_first_thread() {
  std::thread([] {}).join();
}

inline std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/// Body(thread) in that many threads; prints the processor time of all of it, and what `result`
/// gives afterwards.
template <class Body, class Result>
void run_kernel(unsigned threads, Body body, Result result) {
  const std::uint64_t began = processor_nanoseconds();
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) running.emplace_back(body, i);
  for (std::thread& thread : running) thread.join();
  const std::uint64_t took = processor_nanoseconds() - began;
  std::printf("%llu %llu\n", static_cast<unsigned long long>(took),
              static_cast<unsigned long long>(result()));
}

}  // namespace unravel::bench
