/// Finds the cycle of untimed locks and joins that a blocked thread is part of.
#pragma once

#include "runtime/core/scheduler.hpp"

namespace unravel {

class Deadlock {
 public:
  /// While other threads run, they may still cancel whoever waits at a cancellation point, such as
  /// a join, or is of the asynchronous type: only a cycle without such threads stays for good. Nor
  /// does a thread that waits for what it holds itself: another one may give that back, which works
  /// with glibc's plain mutexes, and is done.
  enum class For : std::uint8_t { kGood, kNow };

  Deadlock(Scheduler& scheduler, For how) : scheduler_(scheduler), how_(how) {}

  /// Whether `start`, which is blocked, is part of a cycle; if so that is in the last words.
  bool closed_by(Thread& start);

 private:
  bool search(Thread& thread, std::uint32_t depth);
  bool visit(Thread& holder, const Holder* hold, Thread& thread, std::uint32_t depth);
  bool waits_for_lock(const Thread& thread) const;

  Scheduler& scheduler_;
  For how_;
  Thread* start_ = nullptr;
  std::uint32_t length_ = 0;
  wire::CycleEdge path_[wire::kMostCycle];
};

}  // namespace unravel
