/// Real waiting, for what only the kernel knows: descriptors whose other end is outside this
/// process, child processes, signals from elsewhere.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include <cstdint>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/descriptions.hpp"
#include "runtime/process/signals.hpp"

namespace unravel {

/// What a thread waits for. Lives in the waiting thread's frame.
struct Outside {
  pollfd* descriptors = nullptr;
  nfds_t count = 0;
  bool child = false;           // a child process
  bool signals = false;         // any signal
  bool never_restarts = false;  // a signal handler ends the wait, whatever SA_RESTART says
};

class Outsiders {
 public:
  Outsiders(Scheduler& scheduler, Signals& signals, Arena& arena)
      : scheduler_(scheduler), signals_(signals), descriptions_(arena) {}

  /// Whether there is anything outside that a thread waits for, or a process that it made.
  [[nodiscard]] bool exist() const;
  /// Waits until something may have changed. False: virtual time may go on to `deadline`, or
  /// nothing could change.
  bool wait(std::uint64_t deadline);

  /// Whole milliseconds of real waiting that virtual time has not gone along with; it does now.
  std::uint64_t take_waited();
  /// How far virtual time is behind real time since the last child was made: it may have begun long
  /// before a thread waited for it.
  [[nodiscard]] std::uint64_t lag() const;
  /// While a child runs, virtual time passes no faster than real time: waits until as much has
  /// passed.
  void keep_pace() {
    if (children_made_) wait_for_real_time();
  }

  /// What is known of open files: see Descriptions.
  Descriptions& descriptions() { return descriptions_; }
  [[nodiscard]] bool is_inside(int descriptor) const { return descriptions_.is_inside(descriptor); }
  [[nodiscard]] bool is_inside(int descriptor, const struct stat& status) const {
    return descriptions_.is_inside(descriptor, status);
  }
  [[nodiscard]] bool is_own(int descriptor, const struct stat& status) const {
    return descriptions_.is_own(descriptor, status);
  }
  void record_inside(int descriptor) { descriptions_.record_inside(descriptor); }

  /// A message queue of which the program asked to be told.
  struct Notification {
    int queue = -1;
    sigevent event{};
    pthread_attr_t attributes{};  // of the thread that calls its function
  };
  Notification& notification() { return notification_; }

  /// The program is about to make a child: it may run for a while before its parent goes on.
  void expect_child();
  /// The program has a child now, which may hold the other end of anything.
  void record_child(pid_t child);
  /// Whether it ever had one.
  [[nodiscard]] bool made_any() const { return children_made_ != 0; }
  /// Whether it has one that was not reaped yet.
  [[nodiscard]] bool has_child() const;
  /// Children are known by the order in which they were made, from 1 on: their numbers differ from
  /// run to run. 0: none of ours.
  [[nodiscard]] std::uint64_t ordinal_of(pid_t child) const;
  [[nodiscard]] pid_t child_at(std::uint64_t ordinal) const;

  /// A stream of popen(), with the child at its other end.
  struct Piped {
    const void* stream = nullptr;
    int descriptor = -1;
    pid_t child = 0;
  };
  static constexpr int kMostPiped = 64;
  /// Null: there is none such; for a null stream, no room.
  Piped* find_piped(const void* stream);
  [[nodiscard]] const Piped& piped(int index) const { return piped_[index]; }

 private:
  /// Whether something outside could let a thread go on before `deadline`.
  [[nodiscard]] bool may_come(std::uint64_t deadline) const;
  [[nodiscard]] bool has_running_child() const;
  void wait_for_real_time();

  Scheduler& scheduler_;
  Signals& signals_;
  Descriptions descriptions_;
  Notification notification_;
  // Real nanoseconds of waiting that virtual time has not gone along with yet: it only ever jumps
  // from deadline to deadline, so that it is the same whenever something comes.
  std::uint64_t waited_ = 0;
  // Of a program that makes more, the last ones.
  static constexpr std::uint64_t kMostChildren = 1024;
  pid_t children_[kMostChildren] = {};
  Piped piped_[kMostPiped];
  std::uint64_t children_made_ = 0;
  // Virtual and real time are compared with what they were when a child was last made, or when it
  // was last seen that none ran.
  std::uint64_t virtual_then_ = 0;
  std::uint64_t real_then_ = 0;
};

}  // namespace unravel
