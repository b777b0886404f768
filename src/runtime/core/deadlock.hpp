/// Finds the cycle of untimed locks and joins that a blocked thread is part of.
#pragma once

#include "runtime/core/object_table.hpp"
#include "runtime/core/seams.hpp"
#include "runtime/core/thread.hpp"

namespace unravel {

class Deadlock {
 public:
  /// kGood: a cycle that no other thread can break. Other threads may still cancel a thread that
  /// waits at a cancellation point (such as a join) or has the asynchronous cancellation type, so
  /// such threads are in no such cycle. Nor is a thread that waits for what it holds itself:
  /// another thread may release it. glibc's plain mutexes allow that, and programs do it.
  ///
  /// kNow: any cycle, even one that another thread could break.
  enum class For : std::uint8_t { kGood, kNow };

  Deadlock(Host& host, ObjectTable& objects, For how) : host_(host), objects_(objects), how_(how) {}

  /// Whether `start`, which is blocked, is part of a cycle. If so, the last words describe it.
  bool closed_by(Thread& start);

 private:
  bool search(Thread& thread, std::uint32_t depth);
  bool visit(Thread& holder, const Holder* hold, Thread& thread, std::uint32_t depth);
  bool waits_for_lock(const Thread& thread) const;

  Host& host_;
  ObjectTable& objects_;
  For how_;
  Thread* start_ = nullptr;
  std::uint32_t length_ = 0;
  wire::CycleEdge path_[wire::kMostCycle];
};

}  // namespace unravel
