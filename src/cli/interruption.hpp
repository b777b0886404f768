/// SIGINT and SIGTERM: end what is running, leave the store whole, leave no process behind.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "run/runner.hpp"

namespace unravel {

/// One per process, made in main. A thread of its own reads the signals from a pipe and tells
/// the runner. A second signal ends the command at once; the runs die with it, and the
/// store's transactions see to the rest.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool happened() const { return happened_; }

  /// Readable once it happened: for those who wait in poll().
  int descriptor() const { return read_end_.get(); }

  /// From now on an interruption ends what this runner runs; nullptr: there is none.
  void watch(Runner* runner);

  /// What a command says that was interrupted.
  static Error error();

 private:
  void wait_for_signal();

  UniqueFd read_end_;
  UniqueFd write_end_;
  UniqueFd done_;
  std::atomic<bool> happened_{false};
  std::mutex mutex_;
  Runner* runner_ = nullptr;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace unravel
