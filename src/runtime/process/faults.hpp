/// The ways in which a program fails by itself: fatal signals, assertions, uncaught exceptions,
/// exit statuses. Each is recorded, the run stops for the driver, and then the program dies of it.
#pragma once

#include <cstddef>

namespace unravel {

inline constexpr std::size_t kSignalStackSize = 64 * 1024;

/// The calling thread's stack for fatal signals: its own may be what overflowed.
void give_signal_stack(void* stack);

/// The kernel tells us of a fault first, on that stack or on the thread's own; then the program's
/// handler runs, or the failure is recorded.
void receive_fault(int number, bool on_signal_stack);

class Faults {
 public:
  /// Fatal signals and std::terminate come to us first.
  void watch(void* signal_stack);
  /// In a child that goes its own way: std::terminate is its own again.
  void hand_back_terminate() const;

 private:
  using TerminateHandler = void (*)();
  using SetTerminate = TerminateHandler (*)(TerminateHandler);

  static void on_terminate();

  SetTerminate set_terminate_ = nullptr;
  TerminateHandler previous_terminate_ = nullptr;
};

}  // namespace unravel
