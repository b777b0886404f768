/// The ways in which a program fails by itself: fatal signals, assertions, uncaught exceptions,
/// exit statuses. Each is noted and held for the driver, then takes its course.
#pragma once

#include <signal.h>

#include <cstddef>

namespace unravel {

inline constexpr std::size_t kSignalStackSize = 64 * 1024;

/// The calling thread's stack for fatal signals: its own may be what overflowed.
void give_signal_stack(void* stack);

class Faults {
 public:
  /// Fatal signals and std::terminate come to us first.
  void watch(void* signal_stack);
  /// In a child that goes its own way: fatal signals are its own again, and its stack for them is
  /// none. Changes nothing in memory, which may be the parent's.
  void hand_back_signals(const void* signal_stack) const;
  /// And so is std::terminate.
  void hand_back_terminate() const;

 private:
  static constexpr int kFatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  static constexpr std::size_t kFatalCount = sizeof(kFatal) / sizeof(kFatal[0]);

  using TerminateHandler = void (*)();
  using SetTerminate = TerminateHandler (*)(TerminateHandler);

  static void on_terminate();

  struct sigaction inherited_[kFatalCount] = {};
  SetTerminate set_terminate_ = nullptr;
  TerminateHandler previous_terminate_ = nullptr;
};

}  // namespace unravel
