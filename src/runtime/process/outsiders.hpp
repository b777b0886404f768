/// Real waiting, for what only the kernel knows: descriptors whose other end is outside this
/// process, child processes, signals from elsewhere.
#pragma once

#include <poll.h>

#include <cstdint>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/signals.hpp"

namespace unravel {

/// What a thread waits for. Lives in the waiting thread's frame.
struct Outside {
  pollfd* descriptors = nullptr;
  nfds_t count = 0;
  bool child = false;           // a child process
  bool signals = false;         // any signal
  bool never_restarts = false;  // a signal handler ends the wait, whatever SA_RESTART says
};

class Outsiders {
 public:
  Outsiders(Scheduler& scheduler, Signals& signals) : scheduler_(scheduler), signals_(signals) {}

  /// Waits until something may have changed. False: virtual time has come to `deadline`, or
  /// nothing could change.
  bool wait(std::uint64_t deadline);

  /// Whether both ends of a descriptor are known to be in this process.
  [[nodiscard]] bool is_inside(int descriptor) const;
  void note_inside(int descriptor);
  void forget(int descriptor);
  /// The program has a child now, which may hold the other end of anything.
  void forget_all();

 private:
  /// Whether something outside could let a thread go on before `deadline`.
  [[nodiscard]] bool may_come(std::uint64_t deadline) const;

  static constexpr int kMostDescriptors = 4096;

  Scheduler& scheduler_;
  Signals& signals_;
  std::uint64_t inside_[kMostDescriptors / 64] = {};
};

}  // namespace unravel
