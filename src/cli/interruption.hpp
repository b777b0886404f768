/// SIGINT, SIGTERM and similar signals: end the runs, keep the store consistent, leave no process.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

/// Created once, in main. Its own thread reads the signals from a pipe and interrupts the runner. A
/// second signal ends the command at once: its runs die with it, and the store is protected by its
/// transactions.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool happened() const { return happened_; }

  /// Becomes readable when it happens; for poll().
  int descriptor() const { return read_end_.get(); }

  /// From now on an interruption calls this function, perhaps several times. nullptr: there is
  /// nothing to end.
  void watch(std::function<void()> interrupt);

 private:
  void wait_for_signal();

  UniqueFd read_end_;
  UniqueFd write_end_;
  UniqueFd done_;
  std::atomic<bool> happened_{false};
  std::mutex mutex_;
  std::function<void()> interrupt_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace unravel
