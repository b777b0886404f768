/// The ways in which a program fails by itself: fatal signals, assertions, uncaught exceptions,
/// exit statuses. Each is recorded, the run stops for the driver, and then the program dies as it
/// would have.
#pragma once

#include <signal.h>

#include <cstddef>

namespace unravel {

inline constexpr std::size_t kSignalStackSize = 64 * 1024;

/// Sets the calling thread's stack for fatal signals: its own stack may have overflowed.
void give_signal_stack(void* stack);

/// The kernel sends a fault to us first, on that stack or on the thread's own. Then the program's
/// handler runs, or the failure is recorded.
void receive_fault(int number, bool on_signal_stack);

/// What the kernel calls for a fault, when another handler has got it first.
void receive_other_fault(int number, siginfo_t* info, void* context);

class Faults {
 public:
  /// Makes fatal signals and std::terminate come to us first.
  void watch(void* signal_stack);
  /// In a child that is not controlled: gives std::terminate back to it.
  void hand_back_terminate() const;

 private:
  using TerminateHandler = void (*)();
  using SetTerminate = TerminateHandler (*)(TerminateHandler);

  static void on_terminate();

  SetTerminate set_terminate_ = nullptr;
  TerminateHandler previous_terminate_ = nullptr;
};

}  // namespace unravel
