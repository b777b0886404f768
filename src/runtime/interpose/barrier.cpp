/// Barriers, modelled whole. Only the count is read from the real one.
#include <pthread.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

/// As glibc lays it out (struct pthread_barrier).
struct BarrierMemory {
  unsigned in, current_round, count;
};

unsigned count_of(const pthread_barrier_t* barrier) {
  return reinterpret_cast<const BarrierMemory*>(barrier)->count;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::pthread_barrier_wait(barrier);
  const Op op{.kind = wire::Operation::kBarrierWait, .object = barrier, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  if (recorder.on()) {
    recorder.note(wire::Operation::kArrive, reinterpret_cast<std::uint64_t>(barrier), 0, 0,
                  op.site);
  }
  Object& object = scheduler().objects().at(barrier);
  if (++object.arrived < count_of(barrier)) {
    const std::uint64_t round = object.rounds;
    auto woken = scheduler().wait(*self, object, op);
    while (woken == Scheduler::Woken::kBySignal) {
      Object& now = scheduler().objects().at(barrier);
      if (now.rounds != round) break;  // it opened while a handler ran
      woken = scheduler().wait_again(*self, now, op);
    }
    return 0;
  }
  object.arrived = 0;
  ++object.rounds;
  const std::uint32_t woken = scheduler().wake(*self, object, ~0u);
  scheduler().did(*self, op, wire::EventResult::kDone, woken);
  return PTHREAD_BARRIER_SERIAL_THREAD;
}

UNRAVEL_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                        const pthread_barrierattr_t* attributes,
                                        unsigned count) noexcept {
  forget(barrier);
  return real::pthread_barrier_init(barrier, attributes, count);
}

UNRAVEL_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  forget(barrier);
  return real::pthread_barrier_destroy(barrier);
}
