/// A run that a debugger watches, and what the debugger's side decides about it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "wire/control.hpp"

namespace unravel {

/// A live thread of a watched run.
struct WatchedThread {
  wire::ThreadRecord record;
  pid_t kernel_thread = 0;  // its number for this process; 0: not known
  bool has_turn = false;
  std::string state;                // "running", "blocked in lock"
  std::vector<std::uint64_t> held;  // addresses of locks, as of the run's last stop
};

/// The run, while it runs or stands still. Exact only while it stands still.
class WatchedRun {
 public:
  virtual ~WatchedRun() = default;

  /// Its process, by the number that it has for this process; 0 if it has ended.
  [[nodiscard]] virtual pid_t process() const = 0;
  /// Its counters. Points that the runtime has not counted yet are included.
  [[nodiscard]] virtual wire::RunSlot counters() const = 0;
  /// The thread that has the turn. Hooks that the runtime has not counted yet are included.
  [[nodiscard]] virtual wire::ThreadRecord current() const = 0;
  /// Ordered by their numbers.
  [[nodiscard]] virtual std::vector<WatchedThread> threads() const = 0;
  [[nodiscard]] virtual wire::LastWords last_words() const = 0;
  /// Where it stops next and, while it stands before a switch, which thread gets the turn.
  [[nodiscard]] virtual wire::DebuggerStop stop() const = 0;
  /// Whether a thread of it was sent out of a loop that only reads memory. That needs the
  /// debugger interface, which a debugger would have.
  [[nodiscard]] virtual bool spins() const = 0;

  /// Sets where it stops next.
  virtual void stop_next(const wire::DebuggerStop& place) = 0;
  /// Kills it.
  virtual void end() = 0;
};

/// Decides for a debugger. All calls come from the thread that makes the run.
class RunDebugger {
 public:
  virtual ~RunDebugger() = default;

  /// Where the run stops first.
  [[nodiscard]] virtual wire::DebuggerStop first_stop() const = 0;
  /// The run stands still for this reason, and goes on when this returns.
  virtual void stopped(WatchedRun& run, wire::StopReason why) = 0;
  /// Called repeatedly in between. Returns whether it has waited for the debugger.
  virtual bool attend(WatchedRun& run) = 0;
};

}  // namespace unravel
