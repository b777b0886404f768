/// Stacks that take turns on one kernel thread: what a simulated thread runs on.
///
/// Knows the sanitizers, which have to be told of every change of stack. Does not know threads
/// or schedulers. A fiber may be left for ever in the middle of a function, so what its frames
/// own is lost: they own nothing.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace unravel::sim {

struct Fiber {
  ucontext_t context{};
  std::byte* stack = nullptr;  // lowest byte; null for the kernel thread's own
  std::size_t size = 0;
  void* sanitizer = nullptr;   // the thread sanitizer's name for it
  unsigned uses = 0;           // since that was made
  void* fake_stack = nullptr;  // the address sanitizer's, while it does not run
  void (*body)(void* argument) = nullptr;
  void* argument = nullptr;
  bool in_use = false;
};

/// Keeps stacks from one use to the next: mapping them costs more than a simulated run.
class Fibers {
 public:
  using Body = void (*)(void* argument);

  Fibers();
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// The kernel thread's own stack.
  Fiber& home() { return home_; }

  /// A fiber that calls `body`, which must not return, when it is first switched to.
  Fiber& make(Body body, void* argument);

  /// Runs `to`; returns when somebody switches back to `from`.
  void switch_to(Fiber& from, Fiber& to);

  /// Runs `to`, never to come back: the stack of `from` may be used again.
  [[noreturn]] void leave_to(Fiber& from, Fiber& to);

  /// Called at home: no fiber goes on.
  void abandon_all();

 private:
  static void enter();
  void arrive(void* fake_stack);
  void reclaim();
  void retire(Fiber& fiber);

  Fiber home_;
  Fiber* running_ = &home_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
  std::vector<Fiber*> leaving_;  // left, but their last switch may still be on their stack
};

}  // namespace unravel::sim
