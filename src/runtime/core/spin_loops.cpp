#include "runtime/core/spin_loops.hpp"

namespace unravel {

namespace {

// The most points of others for which a thread waits before it tries again. Chosen by hand.
constexpr std::uint64_t kMostPatience = 256;

}  // namespace

void SpinLoops::enter(Thread& self) {
  SpinLoop& spin = self.spin;
  const bool again = spin.operations == self.clock.operations;
  spin.patience = again && spin.patience < kMostPatience ? 2 * spin.patience
                  : again                                ? kMostPatience
                                                         : 1;
  spin.step = state_.slot->steps + 1;  // this point
  self.retry = false;
  ++spinning_;
}

void SpinLoops::leave(Thread& self) {
  --spinning_;
  self.spin.operations = self.clock.operations;
}

template <class Enough>
bool SpinLoops::retry_if(const Thread* except, Enough enough) {
  bool any = false;
  state_.threads.for_each_live([&](Thread& thread) {
    if (&thread == except || thread.pending.kind != wire::Operation::kSpinLoop) return;
    if (thread.retry || !enough(thread.spin)) return;
    thread.retry = any = true;
    objects_.refresh(thread);
  });
  return any;
}

bool SpinLoops::retry(const Thread* except) {
  return retry_if(except, [&](const SpinLoop& spin) {
    return state_.slot->steps - spin.step >= spin.patience;
  });
}

bool SpinLoops::retry_all() {
  return retry_if(nullptr,
                  [&](const SpinLoop& spin) { return state_.slot->steps - spin.step >= 1; });
}

bool SpinLoops::let_go() {
  if (spinning_ == 0) return false;
  state_.host.leave_spinners();
  state_.threads.for_each_live([&](Thread& thread) {
    if (thread.pending.kind != wire::Operation::kSpinLoop) return;
    thread.retry = true;
    objects_.refresh(thread);
  });
  return !state_.runnable.empty();
}

}  // namespace unravel
