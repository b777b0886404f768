/// The least that handing a turn over can cost: threads in a ring, a private futex word each. At
/// each hand-over one wake, and one wait unless the turn is back by then; nothing else.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>

namespace unravel::bench {

class BareRing {
 public:
  BareRing(std::uint32_t threads, std::uint64_t hand_overs)
      : threads_(threads), left_(hand_overs), batons_(new Baton[threads]) {
    batons_[0].word.store(1);
  }

  /// What thread `self` of the ring does: takes its turns until all hand-overs are made, then
  /// lets the next one out.
  void take_turns(std::uint32_t self) {
    Baton& own = batons_[self];
    Baton& next = batons_[(self + 1) % threads_];
    for (;;) {
      while (own.word.load(std::memory_order_acquire) == 0) futex(own, FUTEX_WAIT_PRIVATE, 0);
      own.word.store(0, std::memory_order_relaxed);
      const bool done = left_ == 0;
      if (!done) --left_;
      next.word.store(1, std::memory_order_release);
      futex(next, FUTEX_WAKE_PRIVATE, 1);
      if (done) return;
    }
  }

 private:
  struct alignas(64) Baton {
    std::atomic<std::uint32_t> word{0};
  };

  static void futex(Baton& baton, int operation, std::uint32_t value) {
    ::syscall(SYS_futex, &baton.word, operation, value, nullptr);
  }

  const std::uint32_t threads_;
  std::uint64_t left_;  // belongs to the thread whose turn it is
  std::unique_ptr<Baton[]> batons_;
};

}  // namespace unravel::bench
