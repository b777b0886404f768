/// SIGINT and SIGTERM: end what is running, leave the store whole, leave no process behind.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

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

  /// From now on an interruption calls this, perhaps several times; nullptr: there is nothing to
  /// end.
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
