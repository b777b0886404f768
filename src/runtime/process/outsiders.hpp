/// Real waiting for what only the kernel knows: descriptors whose other end is outside this
/// process, child processes, signals from other processes.
#pragma once

#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include <cstdint>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/descriptions.hpp"
#include "runtime/process/signals.hpp"

namespace unravel {

/// What a thread waits for. Lives in the waiting thread's stack frame.
struct Outside {
  pollfd* descriptors = nullptr;
  nfds_t count = 0;
  bool child = false;           // a child process
  bool signals = false;         // any signal
  bool never_restarts = false;  // a signal handler ends the wait, whatever SA_RESTART says
};

class Outsiders {
 public:
  Outsiders(Scheduler& scheduler, Signals& signals, Arena& arena, wire::Control& control)
      : scheduler_(scheduler),
        signals_(signals),
        descriptions_(arena),
        client_(control.client),
        client_signal_(control.settings.client_signal) {}

  /// Inputs are served by stream from now on: nothing outside is waited for.
  void ignore() { is_ignored_ = true; }

  /// Whether a thread waits for something outside, the program has made a process, or the run has a
  /// client.
  [[nodiscard]] bool exist() const;
  /// Whether a thread waits for a descriptor whose other end is outside.
  [[nodiscard]] bool awaits_descriptor() const;
  /// Whether a descriptor of a wait has another end that is not known to be in this process.
  [[nodiscard]] bool waits_outside(const Outside& wish) const;
  /// Whether a thread is blocked by others, not by what comes from outside.
  [[nodiscard]] bool is_any_stuck() const;
  /// Waits until something may have changed. Returns false if virtual time may go on to `deadline`,
  /// or if nothing can change.
  bool wait(std::uint64_t deadline);

  /// Whole milliseconds of real waiting that virtual time has not followed yet. They count as
  /// followed from now on.
  std::uint64_t take_waited();
  /// How far virtual time is behind real time since the last child was made: the child may have
  /// begun long before a thread waited for it.
  [[nodiscard]] std::uint64_t lag() const;
  /// While a child runs, virtual time is no faster than real time: waits until real time has caught
  /// up.
  void keep_pace() {
    if ((children_made_ && !is_ignored_) || client_runs()) wait_for_real_time();
  }

  /// What is known about open files.
  Descriptions& descriptions() { return descriptions_; }
  [[nodiscard]] bool is_inside(int descriptor) const { return descriptions_.is_inside(descriptor); }
  [[nodiscard]] bool is_inside(int descriptor, const struct stat& status) const {
    return descriptions_.is_inside(descriptor, status);
  }
  [[nodiscard]] bool is_own(int descriptor, const struct stat& status) const {
    return descriptions_.is_own(descriptor, status);
  }
  void record_inside(int descriptor) { descriptions_.record_inside(descriptor); }

  /// A message queue whose notification the program asked for.
  struct Notification {
    int queue = -1;
    sigevent event{};
    pthread_attr_t attributes{};  // of the thread that calls its function
  };
  Notification& notification() { return notification_; }

  /// The program is about to make a child, which may run for a while before its parent goes on.
  void expect_child();
  /// The program has made a child, which may hold the other end of any descriptor.
  void record_child(pid_t child);
  /// Whether the program ever had a child.
  [[nodiscard]] bool made_any() const { return children_made_ != 0; }
  /// Whether it has a child that was not reaped yet.
  [[nodiscard]] bool has_child() const;
  /// Children are numbered in the order in which they were made, from 1 on: their process ids
  /// differ from run to run. 0: not a child of ours.
  [[nodiscard]] std::uint64_t ordinal_of(pid_t child) const;
  [[nodiscard]] pid_t child_at(std::uint64_t ordinal) const;
  [[nodiscard]] std::uint64_t children_made() const { return children_made_; }

  /// A stream of popen(), with the child at its other end.
  struct Piped {
    const void* stream = nullptr;
    int descriptor = -1;
    pid_t child = 0;
  };
  static constexpr int kMostPiped = 64;
  /// Null: no such stream; for a null `stream`: no free entry.
  Piped* find_piped(const void* stream);
  [[nodiscard]] const Piped& piped(int index) const { return piped_[index]; }

 private:
  /// Whether something outside could let a thread go on before `deadline`.
  [[nodiscard]] bool may_come(std::uint64_t deadline) const;
  [[nodiscard]] bool has_running_child() const;
  /// The client, a process that the driver starts beside the run.
  [[nodiscard]] wire::Client client() const { return client_.load(std::memory_order_acquire); }
  [[nodiscard]] bool client_runs() const {
    const wire::Client now = client();
    return now == wire::Client::kWanted || now == wire::Client::kRunning;
  }
  [[nodiscard]] bool client_may_send(std::uint64_t deadline) const;
  void wait_for_real_time();

  Scheduler& scheduler_;
  Signals& signals_;
  Descriptions descriptions_;
  Notification notification_;
  const std::atomic<wire::Client>& client_;
  const int client_signal_;
  // Real nanoseconds of waiting that virtual time has not followed yet. Virtual time only jumps
  // from deadline to deadline, so it does not depend on when exactly something comes.
  std::uint64_t waited_ = 0;
  // If a program makes more, only the last ones are known.
  static constexpr std::uint64_t kMostChildren = 1024;
  pid_t children_[kMostChildren] = {};
  Piped piped_[kMostPiped];
  std::uint64_t children_made_ = 0;
  bool is_ignored_ = false;
  // Virtual and real time when a child was last made, or when none was last seen running.
  std::uint64_t virtual_then_ = 0;
  std::uint64_t real_then_ = 0;
};

}  // namespace unravel
