/// Threads that wait in a loop that only reads memory. Each tries again after others have made some
/// points.
#pragma once

#include "runtime/core/run_state.hpp"
#include "runtime/core/shared_objects.hpp"

namespace unravel {

class SpinLoops {
 public:
  SpinLoops(RunState& state, SharedObjects& objects) : state_(state), objects_(objects) {}

  [[nodiscard]] bool any() const { return spinning_ != 0; }

  /// `self` is about to wait in such a loop. The driver takes long to find a thread in its loop, so
  /// after each vain attempt the thread waits for twice as many points of others.
  void enter(Thread& self);
  /// `self` leaves the loop, after its operation was counted.
  void leave(Thread& self);

  /// Whether `self` comes back to its loop without having made an operation meanwhile.
  [[nodiscard]] static bool tries_in_vain(const Thread& self) {
    return self.pending.kind == wire::Operation::kSpinLoop && self.spin.patience > 1;
  }

  /// Lets the threads try again that have waited for enough points of others; `except` has the
  /// turn. Returns whether there were any.
  bool retry(const Thread* except);
  /// Lets all threads try again that have waited for any point of others.
  bool retry_all();
  /// No thread is left that could end these loops: they really spin until the driver ends the run.
  /// Returns whether any can run.
  bool let_go();

 private:
  template <class Enough>
  bool retry_if(const Thread* except, Enough enough);

  RunState& state_;
  SharedObjects& objects_;
  std::uint32_t spinning_ = 0;
};

}  // namespace unravel
