/// A stored run that is repeated as often as a debugger wants, up to where it wants: for
/// `replay --gdb`.
///
/// The debugger is attached to the run's process. To go forward, it lets the process go on until
/// the next place. To go back, the run is made again, and the debugger attaches to the new process.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "data/debugging.hpp"
#include "data/judging.hpp"
#include "investigate/stored_run.hpp"
#include "run/run_debugger.hpp"

namespace unravel {

/// The other end: the debugger's script.
class DebuggerLink {
 public:
  virtual ~DebuggerLink() = default;

  /// The next request, if one comes within this time. Requests that cannot be understood are
  /// answered with an error.
  virtual std::optional<DebuggerRequest> next(std::chrono::milliseconds most) = 0;
  /// The other end is gone.
  [[nodiscard]] virtual bool is_closed() const = 0;
  virtual void answer(const DebuggerAnswer& answer) = 0;
};

struct DebugRequest {
  Judging judging;
  RunName run;        // empty: the latest failure
  std::string store;  // a directory
  EnvironmentOf environment = EnvironmentOf::kRecording;
  InputsOf inputs = InputsOf::kRecording;
};

class DebugSession final : public RunDebugger {
 public:
  static Result<std::unique_ptr<DebugSession>> open(const DebugRequest& request, DebuggerLink& link,
                                                    Observer& observer);

  /// Whether the run can be debugged. Returns its id.
  static Result<std::string> check(const DebugRequest& request);

  /// Tells about the run, and answers until the other end is gone.
  void serve();

  [[nodiscard]] wire::DebuggerStop first_stop() const override { return target_; }
  void stopped(WatchedRun& run, wire::StopReason why) override;
  bool attend(WatchedRun& run) override;

 private:
  DebugSession(OpenedRun opened, DebuggerLink& link, Observer& observer)
      : opened_(std::move(opened)), link_(link), observer_(observer) {}

  [[nodiscard]] const Run& recorded() const { return opened_.stored.run; }
  void make_run();
  void finish(const Result<Run>& now);
  void give_up(WatchedRun* run);

  /// `run` is null if there is none.
  void handle(const DebuggerRequest& request, WatchedRun* run);
  void go(const DebuggerRequest& request, WatchedRun* run);
  [[nodiscard]] Result<wire::DebuggerStop> target_of(const DebuggerRequest& request,
                                                     const WatchedRun* run) const;
  [[nodiscard]] Result<wire::DebuggerStop> step_target(const DebuggerRequest& request,
                                                       const WatchedRun& run) const;
  [[nodiscard]] Result<wire::DebuggerStop> switch_target(const DebuggerRequest& request,
                                                         const WatchedRun& run) const;
  [[nodiscard]] Result<wire::DebuggerStop> critical() const;
  [[nodiscard]] Way way_to(const wire::DebuggerStop& target, const WatchedRun* run) const;
  [[nodiscard]] Way way_to_clock(const wire::DebuggerStop& target, const WatchedRun& run) const;
  [[nodiscard]] RunPosition position(const WatchedRun& run) const;
  [[nodiscard]] std::string told_at(const WatchedRun& run, const RunPosition& position) const;
  [[nodiscard]] DebuggerAnswer where(const WatchedRun* run) const;
  [[nodiscard]] DebuggerAnswer threads(const WatchedRun* run) const;
  DebuggerAnswer table(const WatchedRun* run);

  OpenedRun opened_;
  DebuggerLink& link_;
  Observer& observer_;
  std::unique_ptr<RunnerLease> lease_;
  wire::DebuggerStop target_;  // where the run stops next
  bool wants_run_ = false;     // it is to be made again
  bool is_awaited_ = false;    // the other end waits until the run stands, or has ended
  bool is_attached_ = false;
  bool was_given_up_ = false;                  // this run is not wanted any more
  std::optional<wire::StopReason> stands_at_;  // nothing: it runs, or the debugger stopped it
  std::optional<DebuggerAnswer> end_;          // of the last run
  std::optional<DecidingPlace> deciding_;      // if `isolate` has found it
  bool is_guess_ = false;                      // the target is not known to be what was asked for
};

}  // namespace unravel
