/// Runs: (Program, Schedule or batch) → Run(s).
///
/// Starts the program with the runtime injected, talks to it through the channel, limits it,
/// unwinds it where it stands still, and names the outcome. Knows nothing of strategies,
/// stores or the terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/environment.hpp"
#include "data/proposal.hpp"
#include "data/run.hpp"
#include "data/settings.hpp"
#include "data/site_maps.hpp"
#include "data/targets.hpp"
#include "data/trace_decoder.hpp"
#include "wire/control.hpp"

namespace unravel {

/// What holds for all runs of a program.
struct RunLimits {
  std::chrono::milliseconds timeout{10'000};  // of one run's own time: see run/watchdog.hpp
  std::uint64_t most_steps = 20'000'000;
  // Bytes of one run. What is kept is for people to read; what is above that has to be kept on the
  // disk while the run goes on only if somebody judges all of it.
  std::uint64_t most_kept_output = std::uint64_t{16} << 20;  // of each stream
  std::uint64_t most_output = std::uint64_t{1} << 30;        // on the disk
};

struct RunnerOptions {
  RunLimits limits;
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  wire::PointSet points = wire::PointSet::kSync;      // where rules may switch
  std::vector<wire::Site> marks;                      // the points of the set `auto`
  std::vector<std::string> oracle;                    // a command; empty: none
  std::optional<std::string> expected_output;         // what every run must write, byte for byte
  Targets targets;                                    // which failures count
  std::optional<int> skip_status = kUsualSkipStatus;  // a run that exits so was skipped
  bool fork_server = true;
  bool sandbox = true;            // where it is permitted: runs do not see what others leave behind
  std::optional<int> cpu;         // pinned to this one; nothing: any one CPU, chosen once
  std::string standard_input;     // a file; empty: nothing to read
  std::string scratch_directory;  // for captured output; must exist
  // Of a schedule that is to be replayed; nothing: now.
  std::optional<std::uint64_t> start_realtime;
  std::optional<std::uint64_t> start_monotonic;
  std::optional<std::uint32_t> cpu_count;
  wire::TimeModel time_model = wire::TimeModel::kSecond;
  std::vector<std::uint64_t> start_waits;
  wire::Start start;
  std::shared_ptr<const Environment> environment;  // null: this process's own
};

/// The part of a run that is traced: from where a thread reaches one clock to where it reaches
/// another.
struct TraceWindow {
  wire::ThreadId thread;
  wire::Clock from;
  wire::Clock to;
};

/// One explicit schedule.
struct RunRequest {
  Schedule schedule;
  wire::Following following = wire::Following::kNothing;
  wire::TraceLevel trace = wire::TraceLevel::kSwitches;
  // In clock form: whoever has run so long is preempted at its next point.
  std::optional<std::chrono::milliseconds> tick;
  TraceSink* sink = nullptr;  // takes the trace, at level `memory`
  bool values = false;        // with what is read and written
  std::optional<TraceWindow> window;
  bool pairs = true;   // keep the map of pairs of sites
  bool table = false;  // stop at every operation of the clip and unwind there: fills Run::steps
  std::optional<wire::StopAt> stop_at = {};  // and here, for all threads: fills Run::snapshot
  // And here, in the order in which they are reached, for the one thread: fills Run::probes.
  std::vector<wire::StopAt> probes = {};
  // The points of the set `auto` of a run that follows nothing; null: the runner's.
  std::shared_ptr<const std::vector<wire::Site>> marks = nullptr;
};

/// Many runs: ordinals first .. first+count-1. Of one rule, with seeds derived from the master
/// seed; or, if there are proposals, one run of each.
struct BatchRequest {
  std::uint64_t first_ordinal = 0;
  std::uint64_t count = 1;
  std::uint64_t master_seed = 0;
  wire::Rule rule;
  bool stop_at_failure = true;
  std::vector<Proposal> proposals = {};
  // The points of the set `auto` from this batch on; null: as before.
  std::shared_ptr<const std::vector<wire::Site>> marks = nullptr;
  // What others have met counts as met, from this batch on; null: only what this worker met.
  std::shared_ptr<const SiteMaps> maps = nullptr;
};

struct BatchResult {
  std::vector<RunSummary> runs;  // if a failure ends the batch, fewer than were asked for
  SiteMaps maps;                 // of all runs of this worker's program so far
  std::vector<Run> failures;     // whole, in the order found
  std::vector<Run> unsettled;    // whole: unresolved, diverged, or an error, which ends the batch
};

/// One worker: one channel, one program process (a fork server where that is safe), one CPU.
/// All but interrupt() is called from one thread that lives as long as the runner: the program
/// dies with the thread that started it.
class Runner {
 public:
  static Result<std::unique_ptr<Runner>> start(Program program, RunnerOptions options);
  virtual ~Runner() = default;

  virtual Result<Run> run(const RunRequest& request) = 0;
  virtual Result<BatchResult> run_batch(const BatchRequest& request) = 0;

  /// Ends whatever is running, from any thread or a signal handler's self-pipe reader; the
  /// call in progress, and every later one, returns an error "interrupted".
  virtual void interrupt() = 0;

  /// Whether runs are forked from one start of the program, and if not, why. Known after the
  /// first run.
  virtual bool forks() const = 0;
  virtual std::string why_not_forking() const = 0;

  /// Whether what a run leaves behind is gone for the next, and if not, why; the reason is empty
  /// if it was not asked for. Known after the first run.
  virtual bool sandboxed() const { return false; }
  virtual std::string why_not_sandboxed() const { return {}; }

  /// What of the program and of the machine makes runs worth less than they could be, a line
  /// each. Known after the first run.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// The points of the set `auto`, from the next run on.
  virtual void set_marks(std::vector<wire::Site>) {}

  /// Copies the files that the last run wrote into `directory`, each under its absolute path.
  /// Gives their number. Fails if runs are not sandboxed: then they are where they were written.
  virtual Result<std::uint64_t> keep_files(const std::string& directory);
};

/// Finds PROG as a shell would and refuses what cannot be controlled (missing, not executable,
/// static, setuid, another architecture, not an ELF file or script), saying what to do.
Result<Program> find_program(const std::vector<std::string>& arguments);

/// How a program and the libraries that it asks for were compiled.
struct Instrumentation {
  bool has_hooks = false;         // at memory accesses, in some of them
  bool has_blocks = false;        // coverage callbacks tell of loops, in some of them
  bool loads_libraries = false;   // while it runs; nobody knows how these were compiled
  bool asks_for_library = false;  // of GCC's ThreadSanitizer, which the runtime then stands in for
};
Instrumentation instrumentation_of(const Program& program);

}  // namespace unravel
