#include "common/measure.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

#include "common/bare_ring.hpp"
#include "common/raw_clock.hpp"
#include "run/launch.hpp"

namespace unravel::bench {
namespace {

void pin_this_thread(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

int measured_cpu() {
  static const int cpu = usable_cpus().back();  // asked before anybody pins itself
  return cpu;
}

void leave_measured_cpu() {
  const int cpu = measured_cpu();
  for (const int other : usable_cpus()) {
    if (other != cpu) return pin_this_thread(other);
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double median_ratio(const std::vector<double>& values, const std::vector<double>& others) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(values.size(), others.size()); ++i) {
    ratios.push_back(values[i] / others[i]);
  }
  return median(std::move(ratios));
}

double bare_hand_over(std::uint32_t threads, std::uint64_t hand_overs) {
  BareRing ring(threads, hand_overs);
  const int cpu = measured_cpu();
  std::vector<std::uint64_t> began(threads), ended(threads);
  std::vector<std::thread> running;
  // The first has the turn, so it starts last: then it measures hand-overs and no creation.
  for (std::uint32_t i = threads; i-- > 0;) {
    running.emplace_back([&, i] {
      pin_this_thread(cpu);
      began[i] = processor_nanoseconds();
      ring.take_turns(i);
      ended[i] = processor_nanoseconds();
    });
  }
  for (std::thread& thread : running) thread.join();
  return static_cast<double>(ended[0] - began[0]) / static_cast<double>(hand_overs);
}

double children_processor_nanoseconds() {
  rusage usage = {};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto nanoseconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
  };
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

}  // namespace unravel::bench
