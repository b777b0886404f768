/// One worker's program process, and the communication with it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/client.hpp"
#include "data/program.hpp"
#include "run/capture.hpp"
#include "run/channel.hpp"
#include "run/child.hpp"
#include "run/client.hpp"
#include "run/failure_stacks.hpp"
#include "run/late_deadlines.hpp"
#include "run/outcome.hpp"
#include "run/runner.hpp"
#include "run/sandbox.hpp"
#include "run/standstill.hpp"
#include "run/stopped_thread.hpp"
#include "run/watchdog.hpp"

namespace unravel {

/// A batch to perform.
struct BatchWork {
  wire::Batch batch;
  std::vector<ScheduleInput> schedules;                // one for each run, or none
  std::optional<std::chrono::milliseconds> tick = {};  // how often another thread gets the turn
  std::function<void(pid_t)> at_stop = {};             // the run is at one of its stops
  TraceSink* sink = nullptr;                           // receives the trace of one run
  TraceSink* decisions = nullptr;                      // receives the decisions of all runs
  RunDebugger* debugger = nullptr;                     // watches the one run
  std::vector<wire::Site> marks = {};                  // points of the set `auto`
};

/// The result of a batch: at least one run, and all runs up to the first that went wrong.
struct Performed {
  std::vector<wire::RunSlot> slots;
  // Of the last run:
  Ending ending;
  Streamed streamed;
  std::vector<StillThread> threads;      // where they were at the failure
  std::vector<StillThread> stuck;        // where they were at the time limit, without progress
  std::optional<Standstill> standstill;  // the kind of standstill then, if the run had begun
  std::optional<ClientEnd> client = {};  // if it has one
};

/// Starts the program when needed, and keeps it while it serves. Used by one thread, which must
/// live as long: the program dies with the thread that started it.
class ProgramProcess {
 public:
  /// `runtime` is the absolute path of the library to inject.
  static Result<std::unique_ptr<ProgramProcess>> create(const Program& program,
                                                        const RunnerOptions& options,
                                                        const std::string& runtime);
  ~ProgramProcess();

  Result<Performed> perform(const BatchWork& work);

  /// From any thread. Every current and later call fails as "interrupted".
  void interrupt();
  const std::atomic<bool>& interrupted() const { return interrupted_; }

  const ChannelReading& channel() const { return channel_.reading(); }
  /// Takes effect where the run is stopped now.
  void set_trace(wire::TraceLevel level) { channel_.set_trace(level); }
  /// Between two batches: these count as met from now on.
  void add_site_maps(const SiteMaps& maps) { channel_.add_site_maps(maps); }
  const Capture& capture() const { return capture_; }
  /// What the last run got from outside; null if that is not recorded.
  std::shared_ptr<const InputLog> take_inputs();
  StackReader& stacks() { return stacks_; }

  // --- For a debugger's side ---

  /// The process id of the run; 0 if there is none.
  pid_t run_process(bool is_starting) const;
  /// A thread's kernel id outside the sandbox; 0 if it is not known.
  pid_t kernel_thread(pid_t process, const wire::ThreadRecord& thread) const;
  void stop_for_debugger(const wire::DebuggerStop& place) { channel_.stop_for_debugger(place); }
  /// Whether threads were sent out of loops that only read memory.
  bool spins() const { return spins_; }
  /// Kills the run.
  void end_run();

  const wire::Settings& settings() const { return settings_; }
  bool addresses_fixed() const { return addresses_fixed_; }
  bool pinned() const { return pinned_; }
  /// The environment in which the program is started.
  const std::shared_ptr<const Environment>& environment() const { return environment_; }
  /// A bit for each resource whose limit could not be set.
  std::uint32_t limits_refused() const { return limits_refused_; }
  wire::Mode mode() const { return mode_; }
  /// Whether processes outlived the last process of the program.
  bool left_processes() const { return left_processes_; }
  std::string why_direct() const { return why_direct_; }

  bool sandboxed() const { return sandbox_ != nullptr; }
  /// Empty if it is sandboxed, or if the sandbox was not requested.
  std::string why_not_sandboxed() const { return why_not_sandboxed_; }
  /// Why some of its writes are not sandboxed; empty if all are, or if there is no sandbox.
  std::string why_partly_sandboxed() const { return sandbox_ ? sandbox_->why_partly() : ""; }
  /// For code that reads, and may change, what the last run left; nullptr if there is none.
  const Sandbox* lend_sandbox();
  Result<std::uint64_t> keep_files(const std::string& directory);

 private:
  using Clock = std::chrono::steady_clock;

  /// What can end a wait for the runtime.
  enum class Met { kServing, kEnded, kDamaged };

  /// The state of a batch in progress.
  struct Progress {
    Watchdog watchdog;
    // After this processor time without a step, check whether the run is in a loop that only waits.
    Clock::duration spin_look{0};
    LateDeadlines late = {};
    Performed performed;
    std::uint32_t streamed_run = 0;     // the run whose streams have been drained so far
    Capture::Sizes output_before = {};  // before the batch
    std::uint32_t watched_run = 0;
    std::optional<std::uint32_t> stopped_run;
    // What it had recorded when we decided to end it: later entries may be caused by us.
    wire::RunSlot slot_at_stop = {};
    wire::LastWords words_at_stop = {};
    std::optional<Watchdog> server = {};  // while only the server has something to do
    Clock::time_point next_look = {};
    Clock::duration between_looks = {};
    bool is_starting = false;
    std::optional<std::uint64_t> round = {};  // the program's state at the last question
    bool gave_up_client = false;
  };

  ProgramProcess(Program program, RunnerOptions options, std::string runtime, Channel channel,
                 Capture capture);

  Result<void> start(const BatchWork& work, int keepers_left = 2);
  Result<void> write_inputs();
  Result<void> isolate();
  Result<void> forget_last_run();
  void end();
  Result<std::optional<Performed>> attempt(const BatchWork& work);
  Result<Met> await(const BatchWork& work, Progress& progress);
  void attend_stop(const BatchWork& work, Progress& progress);
  bool attend_debugger(const BatchWork& work, const Progress& progress);
  void look_at_round(Progress& progress);
  void drain(Progress& progress);
  void watch(Progress& progress);
  void watch_server(Progress& progress, const Activity& activity, Clock::time_point now,
                    Clock::duration due);
  std::string describe_start(const Watchdog& watchdog) const;
  pid_t running_thread(pid_t process) const;
  void look_for_spin_loop(Progress& progress);
  void look_for_late_deadline(Progress& progress, std::uint32_t run, const wire::RunSlot& slot);
  std::string watch_output(const Progress& progress, std::uint32_t run);
  void stop_run(Progress& progress, std::string why);
  void look_at_standstill(Progress& progress, pid_t process, std::optional<StoppedThread>& stopped);
  Standstill standstill(Watchdog::Cause cause) const;
  bool kill_run();
  pid_t outside(pid_t inside) const;

  wire::Client client_at_start() const;
  void expect_client();
  Result<void> attend_client(Progress& progress);
  Result<void> start_client();
  bool signal_run(bool is_starting) const;
  bool give_up_client();
  bool is_ended_by_client() const;
  std::string watch_client_output();
  bool has_ended_well(const Progress& progress) const;
  Result<void> finish_client(Progress& progress);
  void forgive_signal(Performed& performed) const;

  Result<Performed> finished_batch(Progress progress);
  Result<Performed> finished_process(const BatchWork& work, Progress progress,
                                     Clock::time_point began);
  bool went_on_elsewhere(const Ending& ending) const;
  Result<void> check_controlled(const Ending& ending) const;
  std::optional<Performed> lost_server(const BatchWork& work, Progress progress);
  Performed damaged(const BatchWork& work);
  void settle_stop(Progress& progress) const;
  static void forget_stop(Performed& performed);

  const Program program_;
  const RunnerOptions options_;
  const std::string runtime_;
  const std::shared_ptr<const Environment> environment_;
  const std::shared_ptr<WrapperTable> wrappers_;
  const int cpu_;
  wire::Settings settings_;
  Channel channel_;
  Capture capture_;
  InputCollector inputs_;
  StackReader stacks_;
  std::unique_ptr<Sandbox> sandbox_;  // outlives the child: its end waits for the child's
  std::string why_not_sandboxed_;
  bool was_inside_ = false;  // the program could be started in the sandbox
  bool was_lent_ = false;
  Child child_;
  std::optional<Capture> client_output_;
  std::optional<Client> client_;
  std::optional<ClientEnd> client_end_;  // of the current run's client
  wire::Mode mode_ = wire::Mode::kNotYet;
  std::string why_direct_;  // why runs are not forked in mode kDirect
  bool addresses_fixed_ = true;
  bool pinned_ = true;
  std::uint32_t limits_refused_ = 0;
  std::uint32_t wrapper_rows_ = 0;  // that the process was told of
  bool spins_ = false;  // some threads of the program wait in loops that only read memory
  bool left_processes_ = false;
  std::atomic<bool> interrupted_{false};
};

}  // namespace unravel
