/// pthread_once, and with it std::call_once. The real function is called when the object's memory
/// shows that it will not wait: nobody has begun, or it is done. So libc still takes care of
/// exceptions and forks.
#include "runtime/interpose/once.hpp"

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

bool can_enter(const Op& op, const Thread&) {
  constexpr int kInProgress = 1;
  return (*static_cast<const pthread_once_t*>(op.object) & kInProgress) == 0;
}

/// Runs after libc has marked the object as being initialised: from now on others have to wait.
void announced_routine() {
  Thread& self = *controlled_thread();
  scheduler().objects().changed_at(self.interposer.once_control);
  self.interposer.once_routine();
}

}  // namespace

int run_once(Thread& self, pthread_once_t* control, void (*routine)(), const void* site) {
  const Op op{.kind = wire::Operation::kOnce, .object = control, .site = site, .can = can_enter};
  scheduler().reach(self, op);
  scheduler().objects().hold(scheduler().objects().at(control), self, op.kind, op.site);
  self.interposer.once_control = control;
  self.interposer.once_routine = routine;
  constexpr int kDone = 2;
  const bool runs = (*control & kDone) == 0;
  const int error = real::pthread_once(control, announced_routine);
  scheduler().objects().released(self, control);
  scheduler().did(self, op, error ? wire::EventResult::kFailed : wire::EventResult::kDone,
                  error ? static_cast<std::uint64_t>(error) : runs);
  return error;
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_once(pthread_once_t* control, void (*routine)()) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_once, control, routine);
  return run_once(*self, control, routine, UNRAVEL_SITE);
}
