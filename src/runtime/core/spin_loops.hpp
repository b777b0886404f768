/// Threads that wait in a loop that only reads memory: they try again after points of others.
#pragma once

#include "runtime/core/run_state.hpp"
#include "runtime/core/shared_objects.hpp"

namespace unravel {

class SpinLoops {
 public:
  SpinLoops(RunState& state, SharedObjects& objects) : state_(state), objects_(objects) {}

  [[nodiscard]] bool any() const { return spinning_ != 0; }

  /// `self` is about to wait in such a loop. The driver needs long to find a thread in its loop, so
  /// one that tried in vain waits for twice as many points of others as before.
  void enter(Thread& self);
  /// It goes on, and has counted its operation.
  void leave(Thread& self);

  /// Lets those try again for which others have made enough points; `except` has the turn. Whether
  /// there were any.
  bool retry(const Thread* except);
  /// Lets all try again for which others have made any point.
  bool retry_all();
  /// No thread is left that could end their loops: they go round for real until the driver ends the
  /// run. Whether any can run.
  bool let_go();

 private:
  template <class Enough>
  bool retry_if(const Thread* except, Enough enough);

  RunState& state_;
  SharedObjects& objects_;
  std::uint32_t spinning_ = 0;
};

}  // namespace unravel
