// All the ways to ask for CPUs agree, and a thread may choose among them; CPU time goes on.
//
// expect: passed
// within: random, 20 runs
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <ctime>
#include <thread>

namespace {

int count_of(const cpu_set_t& set) { return CPU_COUNT(&set); }

void choose_one() {
  cpu_set_t all, one;
  CPU_ZERO(&all);
  assert(pthread_getaffinity_np(pthread_self(), sizeof(all), &all) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; count_of(one) == 0; cpu++) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  }
  assert(pthread_setaffinity_np(pthread_self(), sizeof(one), &one) == 0);
  cpu_set_t now;
  assert(sched_getaffinity(0, sizeof(now), &now) == 0);
  assert(CPU_EQUAL(&now, &one));
  assert(CPU_ISSET(sched_getcpu(), &one));
}

}  // namespace

int main() {
  assert(sysconf(_SC_NPROCESSORS_ONLN) == get_nprocs());
  assert(std::thread::hardware_concurrency() == static_cast<unsigned>(get_nprocs()));
  assert(get_nprocs_conf() >= get_nprocs());
  cpu_set_t all;
  assert(sched_getaffinity(0, sizeof(all), &all) == 0);
  assert(count_of(all) >= 1 && count_of(all) <= get_nprocs_conf());

  std::thread(choose_one).join();
  cpu_set_t still;
  assert(sched_getaffinity(0, sizeof(still), &still) == 0);
  assert(CPU_EQUAL(&still, &all));

  const std::clock_t before = std::clock();
  while (std::clock() < before + CLOCKS_PER_SEC / 20) {
  }
  tms spent;
  assert(times(&spent) != static_cast<clock_t>(-1));
  assert(spent.tms_utime + spent.tms_stime >= 1);
  rusage usage;
  assert(getrusage(RUSAGE_SELF, &usage) == 0);
  assert(usage.ru_utime.tv_sec > 0 || usage.ru_utime.tv_usec + usage.ru_stime.tv_usec >= 5000);
  assert(usage.ru_maxrss > 0);
  std::puts("ok");
}
