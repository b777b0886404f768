/// Other things that differ between machines and runs: the CPUs, and CPU time.
///
/// We pin runs to one CPU. The program sees a fixed number of CPUs; what it asks of them is
/// remembered but not done.
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <unistd.h>

#include <bit>
#include <cstring>

#include "runtime/interpose/affinity.hpp"
#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

/// 0: the machine's own number.
unsigned cpu_count() {
  constexpr unsigned kMost = 64;
  if (!controlled_thread()) return 0;
  const unsigned count = runtime().settings().cpu_count;
  return count < kMost ? count : kMost;
}

/// The thread with a kernel id, where 0 is the caller; null: not one of ours.
Thread* thread_with_id(pid_t id) {
  if (id == 0) return controlled_thread();
  for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
    Thread* thread = scheduler().threads().by_slot()[slot];
    if (thread->in_use && !thread->ended && thread->kernel_id == real_process(id)) return thread;
  }
  return nullptr;
}

std::uint64_t affinity_of(const Thread& thread) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - cpu_count());
  return thread.interposer.affinity & all ? thread.interposer.affinity & all : all;
}

/// Returns 0 or an error number.
int show_affinity(const Thread& thread, std::size_t size, cpu_set_t* set) {
  if (size < sizeof(thread.interposer.affinity)) return EINVAL;
  const std::uint64_t shown = affinity_of(thread);
  std::memset(set, 0, size);
  std::memcpy(set, &shown, sizeof(shown));
  return 0;
}

int note_affinity(Thread& thread, std::size_t size, const cpu_set_t* set) {
  std::uint64_t wanted = 0;
  std::memcpy(&wanted, set, size < sizeof(wanted) ? size : sizeof(wanted));
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - cpu_count());
  if (!(wanted & all)) return EINVAL;
  thread.interposer.affinity = wanted & all;
  return 0;
}

unsigned current_cpu(const Thread& self) {
  return self.interposer.affinity
             ? static_cast<unsigned>(std::countr_zero(self.interposer.affinity))
             : 0;
}

/// CPU time in nanoseconds, as if the program had run all the time since its start.
std::uint64_t read_cpu_time(Thread& self) {
  return scheduler().deadlines().read_clock(self, CLOCK_PROCESS_CPUTIME_ID) -
         runtime().settings().start_monotonic;
}

/// The time of children that were waited for, in nanoseconds.
struct ChildTime {
  std::uint64_t user = 0;
  std::uint64_t system = 0;
};

std::uint64_t microseconds_of(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
         static_cast<std::uint64_t>(time.tv_usec);
}

/// Children run in real time. Their time differs from run to run, so it is recorded.
ChildTime child_time(Thread& self) {
  if (!runtime().outsiders().made_any()) return {};
  constexpr unsigned kHalf = 32;
  constexpr std::uint64_t kMost = 0xffff'ffff;
  const wire::Choice* recorded = scheduler().outside().recorded_answer(self);
  std::uint64_t both = 0;
  if (recorded) {
    both = recorded->value;
  } else {
    struct rusage real_usage {};
    real::getrusage(RUSAGE_CHILDREN, &real_usage);
    const std::uint64_t user = microseconds_of(real_usage.ru_utime);
    const std::uint64_t system = microseconds_of(real_usage.ru_stime);
    both = (user < kMost ? user : kMost) << kHalf | (system < kMost ? system : kMost);
  }
  scheduler().outside().answered(self, recorded, both);
  return {.user = (both >> kHalf) * 1000, .system = (both & kMost) * 1000};
}

timeval timeval_of(std::uint64_t time) {
  const timespec same = timespec_of(time);
  return {.tv_sec = same.tv_sec, .tv_usec = same.tv_nsec / 1000};
}

}  // namespace

AffinityOfAttributes::AffinityOfAttributes(const pthread_attr_t* attributes) {
  if (!attributes || !cpu_count()) return;
  if (real::pthread_attr_getaffinity_np(attributes, sizeof(set_), &set_) != 0) return;
  bool all = true;
  for (const auto word : set_.__bits) all = all && word == ~decltype(word){0};
  if (all) return;  // the value if no CPUs were set
  // The object is the program's own and not const. It is restored when pthread_create returns.
  attributes_ = const_cast<pthread_attr_t*>(attributes);
  real::pthread_attr_setaffinity_np(attributes_, 0, nullptr);
}

AffinityOfAttributes::~AffinityOfAttributes() {
  if (attributes_) real::pthread_attr_setaffinity_np(attributes_, sizeof(set_), &set_);
}

int AffinityOfAttributes::give_to(Thread& created) const {
  return attributes_ ? note_affinity(created, sizeof(set_), &set_) : 0;
}

}  // namespace unravel

using namespace unravel;

// --- CPUs ----------------------------------------------------------------------------------------

UNRAVEL_EXPORT long sysconf(int name) noexcept {
  const unsigned count = cpu_count();
  if (count && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) return count;
  return real::sysconf(name);
}

UNRAVEL_EXPORT int get_nprocs() noexcept {
  const unsigned count = cpu_count();
  return count ? static_cast<int>(count) : real::get_nprocs();
}

UNRAVEL_EXPORT int get_nprocs_conf() noexcept {
  const unsigned count = cpu_count();
  return count ? static_cast<int>(count) : real::get_nprocs_conf();
}

UNRAVEL_EXPORT int sched_getaffinity(pid_t id, std::size_t size, cpu_set_t* set) noexcept {
  Thread* thread = cpu_count() ? thread_with_id(id) : nullptr;
  if (!thread) return real::sched_getaffinity(id, size, set);
  ErrnoKeeper keeper;
  const int error = show_affinity(*thread, size, set);
  return error ? keeper.fail(error) : 0;
}

UNRAVEL_EXPORT int sched_setaffinity(pid_t id, std::size_t size, const cpu_set_t* set) noexcept {
  Thread* thread = cpu_count() ? thread_with_id(id) : nullptr;
  if (!thread) return real::sched_setaffinity(id, size, set);
  ErrnoKeeper keeper;
  const int error = note_affinity(*thread, size, set);
  return error ? keeper.fail(error) : 0;
}

UNRAVEL_EXPORT int pthread_getaffinity_np(pthread_t handle, std::size_t size,
                                          cpu_set_t* set) noexcept {
  Thread* thread = cpu_count() ? scheduler().threads().with_handle(handle) : nullptr;
  if (!thread) return real::pthread_getaffinity_np(handle, size, set);
  return show_affinity(*thread, size, set);
}

UNRAVEL_EXPORT int pthread_setaffinity_np(pthread_t handle, std::size_t size,
                                          const cpu_set_t* set) noexcept {
  Thread* thread = cpu_count() ? scheduler().threads().with_handle(handle) : nullptr;
  if (!thread) return real::pthread_setaffinity_np(handle, size, set);
  return note_affinity(*thread, size, set);
}

/// libc asks the kernel for the thread's CPUs, which would be ours.
UNRAVEL_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  const int error = real::pthread_getattr_np(handle, attributes);
  Thread* thread = cpu_count() ? scheduler().threads().with_handle(handle) : nullptr;
  if (error || !thread) return error;
  cpu_set_t set{};
  show_affinity(*thread, sizeof(set), &set);
  return real::pthread_attr_setaffinity_np(attributes, sizeof(set), &set);
}

UNRAVEL_EXPORT int sched_getcpu() noexcept {
  Thread* self = controlled_thread();
  return self ? static_cast<int>(current_cpu(*self)) : real::sched_getcpu();
}

UNRAVEL_EXPORT int getcpu(unsigned* cpu, unsigned* node) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::getcpu, cpu, node);
  if (cpu) *cpu = current_cpu(*self);
  if (node) *node = 0;
  return 0;
}

// --- CPU time ------------------------------------------------------------------------------------

UNRAVEL_EXPORT clock_t clock() noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::clock);
  constexpr std::uint64_t kNanosecondsPerTick = kNanosecondsPerSecond / CLOCKS_PER_SEC;
  return static_cast<clock_t>(read_cpu_time(*self) / kNanosecondsPerTick);
}

UNRAVEL_EXPORT clock_t times(tms* result) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::times, result);
  constexpr std::uint64_t kNanosecondsPerTick = kNanosecondsPerSecond / 100;  // Linux has 100
  const std::uint64_t elapsed = read_cpu_time(*self);
  if (result) {
    const ChildTime children = child_time(*self);
    *result = {.tms_utime = static_cast<clock_t>(elapsed / kNanosecondsPerTick),
               .tms_stime = 0,
               .tms_cutime = static_cast<clock_t>(children.user / kNanosecondsPerTick),
               .tms_cstime = static_cast<clock_t>(children.system / kNanosecondsPerTick)};
  }
  return static_cast<clock_t>(scheduler().time().now() / kNanosecondsPerTick);
}

UNRAVEL_EXPORT int getrusage(__rusage_who_t who, struct rusage* usage) noexcept {
  Thread* self = controlled_thread();
  const int result = real::getrusage(who, usage);
  if (!self || result != 0) return result;
  const std::uint64_t elapsed = read_cpu_time(*self);
  const long resident = usage->ru_maxrss;
  *usage = {};
  usage->ru_maxrss = resident;
  const ChildTime children = who == RUSAGE_CHILDREN ? child_time(*self) : ChildTime{elapsed, 0};
  usage->ru_utime = timeval_of(children.user);
  usage->ru_stime = timeval_of(children.system);
  return 0;
}
