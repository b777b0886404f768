/// Finds the cycle of untimed locks and joins that a blocked thread is part of.
#pragma once

#include "runtime/core/scheduler.hpp"

namespace unravel {

class Deadlock {
 public:
  explicit Deadlock(Scheduler& scheduler) : scheduler_(scheduler) {}

  /// Whether `start`, which has just blocked, closed a cycle; if so it is in the last words.
  bool closed_by(Thread& start);

 private:
  bool search(Thread& thread, std::uint32_t depth);
  bool visit(Thread& holder, const Holder* hold, Thread& thread, std::uint32_t depth);
  bool waits_for_lock(const Thread& thread) const;

  Scheduler& scheduler_;
  Thread* start_ = nullptr;
  std::uint32_t length_ = 0;
  wire::CycleEdge path_[wire::kMostCycle];
};

}  // namespace unravel
