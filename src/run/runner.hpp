/// Runs: (Program, Schedule or batch) → Run(s).
///
/// This room starts the program with the runtime injected, talks to it through the channel, limits
/// it, unwinds it when it is stopped, and determines the outcome. It knows nothing of strategies,
/// stores or the terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/client.hpp"
#include "data/environment.hpp"
#include "data/proposal.hpp"
#include "data/run.hpp"
#include "data/settings.hpp"
#include "data/site_maps.hpp"
#include "data/targets.hpp"
#include "data/trace_decoder.hpp"
#include "wire/control.hpp"

namespace unravel {

class RunDebugger;
class WrapperTable;
struct InputLog;

/// Limits for all runs of a program.
struct RunLimits {
  std::chrono::milliseconds timeout{10'000};  // of a run's own time: see run/watchdog.hpp
  std::uint64_t most_steps = 20'000'000;
  // Bytes per run. The stored part is for people. Output beyond it stays on the disk during the run
  // only if an oracle or an expected output needs all of it.
  std::uint64_t most_kept_output = std::uint64_t{16} << 20;  // of each stream
  std::uint64_t most_output = std::uint64_t{1} << 30;        // on the disk
  std::uint64_t most_input = std::uint64_t{256} << 20;       // of recorded inputs
};

struct RunnerOptions {
  RunLimits limits;
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  wire::PointSet points = wire::PointSet::kSync;      // where rules may switch
  std::vector<wire::Site> marks;                      // the points of the set `auto`
  std::vector<std::string> oracle;                    // a command; empty: none
  std::optional<std::string> expected_output;         // the exact output that every run must have
  Targets targets;                                    // which failures count
  std::optional<int> skip_status = kUsualSkipStatus;  // the exit status of a skipped test
  bool fork_server = true;
  bool sandbox = true;            // where permitted: runs do not see what other runs leave behind
  std::optional<int> cpu;         // nothing: one CPU, chosen once
  std::string standard_input;     // a file; empty: no input
  std::string scratch_directory;  // for captured output; must exist
  // For a replay: as in its schedule. Nothing: now.
  std::optional<std::uint64_t> start_realtime;
  std::optional<std::uint64_t> start_monotonic;
  std::optional<std::uint32_t> cpu_count;
  wire::TimeModel time_model = wire::TimeModel::kThird;
  wire::Start start;
  std::shared_ptr<const Environment> environment;  // null: this process's own
  // What comes from outside: recorded for Run::inputs, or taken from `inputs` if that is not null.
  bool records_inputs = false;
  wire::CatchCalls catch_calls = wire::CatchCalls::kNo;  // for what is recorded
  std::shared_ptr<const InputLog> inputs;
  std::string stand_ins;  // a directory: its files are seen at /, in the sandbox; empty: none
  // The process beside each run. It is not started if there are `inputs`, which have what it sent;
  // then `client_end` says how it ended.
  ClientCommand client;
  std::optional<ClientEnd> client_end;
  std::shared_ptr<WrapperTable> wrappers;  // null: one for this runner
};

/// The traced part of a run: from one clock of a thread to another.
struct TraceWindow {
  wire::ThreadId thread;
  wire::Clock from;
  wire::Clock to;
};

/// A run under one explicit schedule.
struct RunRequest {
  Schedule schedule;
  wire::Following following = wire::Following::kNothing;
  wire::TraceLevel trace = wire::TraceLevel::kSwitches;
  // In clock form: a thread that has run this long is preempted at its next point.
  std::optional<std::chrono::milliseconds> tick;
  TraceSink* sink = nullptr;       // receives the trace, at level `memory`
  TraceSink* decisions = nullptr;  // receives the words of its decisions: see data/decisions.hpp
  bool values = false;             // also trace the values that are read and written
  bool calls = false;              // also trace entries and exits of functions
  std::optional<TraceWindow> window;
  bool pairs = true;   // keep the map of pairs of sites
  bool table = false;  // stop at every operation of the clip and unwind: fills Run::steps
  // Also stop here, in the order in which they are reached, for all threads: fills Run::snapshots.
  std::vector<wire::StopAt> snapshots = {};
  // The same without stacks: fills Run::counted.
  std::vector<wire::StopAt> counted = {};
  // Also stop here, in the order in which they are reached, for that one thread: fills Run::probes.
  std::vector<wire::StopAt> probes = {};
  // Watches the run, and says where it stops; null: no debugger does.
  RunDebugger* debugger = nullptr;
  // Where a run that follows no schedule may switch; nothing: as the runner's options say.
  std::optional<wire::PointSet> points = {};
  // The points of the set `auto` for a run that follows no schedule; null: those of the runner.
  std::shared_ptr<const std::vector<wire::Site>> marks = nullptr;
};

/// Many runs, with ordinals first .. first+count-1: under one rule, with seeds derived from the
/// master seed or, if there are proposals, one run of each.
struct BatchRequest {
  std::uint64_t first_ordinal = 0;
  std::uint64_t count = 1;
  std::uint64_t master_seed = 0;
  wire::Rule rule;
  bool stop_at_failure = true;
  std::vector<Proposal> proposals = {};  // all with the same points
  // The points of the set `auto` from this batch on; null: unchanged.
  std::shared_ptr<const std::vector<wire::Site>> marks = nullptr;
  // What other workers have met counts as met from this batch on; null: only what this worker met.
  std::shared_ptr<const SiteMaps> maps = nullptr;
  TraceSink* decisions = nullptr;  // receives the words of the decisions of all its runs
};

struct BatchResult {
  std::vector<RunSummary> runs;  // fewer than requested if a failure ended the batch
  SiteMaps maps;                 // of all runs of this worker's program so far
  std::vector<Run> failures;     // complete, in the order found
  std::vector<Run> unsettled;  // complete: unresolved, diverged, or an error, which ends the batch
};

/// One worker: one channel, one program process (a fork server if that is safe), one CPU. All
/// functions except interrupt() must be called from one thread that lives as long as the runner:
/// the program dies with the thread that started it.
class Runner {
 public:
  static Result<std::unique_ptr<Runner>> start(Program program, RunnerOptions options);
  virtual ~Runner() = default;

  virtual Result<Run> run(const RunRequest& request) = 0;
  virtual Result<BatchResult> run_batch(const BatchRequest& request) = 0;

  /// Ends all work. May be called from any thread, or from the reader of a signal handler's
  /// self-pipe. The current call, and every later one, returns the error "interrupted".
  virtual void interrupt() = 0;

  /// Whether runs are forked from one start of the program and, if not, why. Known after the first
  /// run.
  virtual bool forks() const = 0;
  virtual std::string why_not_forking() const = 0;

  /// Whether leftovers of a run are removed before the next and, if not, why; the reason is empty
  /// if the sandbox was not requested. Known after the first run.
  virtual bool sandboxed() const { return false; }
  virtual std::string why_not_sandboxed() const { return {}; }

  /// What makes the runs less reliable, in the program or on the machine, one line each. Known
  /// after the first run.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// The points of the set `auto`, from the next run on.
  virtual void set_marks(std::vector<wire::Site>) {}

  /// Copies the files that the last run wrote into `directory`, each under its absolute path.
  /// Returns their number. Fails if runs are not sandboxed: the files are then where they were
  /// written.
  virtual Result<std::uint64_t> keep_files(const std::string& directory);
};

/// Finds PROG as a shell would. Refuses what cannot be controlled (missing, not executable, static,
/// setuid, another architecture, not an ELF file or script), with advice.
Result<Program> find_program(const std::vector<std::string>& arguments);

/// How a program and the libraries that it needs were compiled.
struct Instrumentation {
  bool has_hooks = false;         // at memory accesses, in at least one of them
  bool has_blocks = false;        // coverage callbacks for loops, in at least one of them
  bool loads_libraries = false;   // at run time; how these were compiled is not known
  bool asks_for_library = false;  // needs GCC's ThreadSanitizer library, which we replace
};
Instrumentation instrumentation_of(const Program& program);

}  // namespace unravel
