/// Determines the outcome of a run from what its process left. Pure: knows no processes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/client.hpp"
#include "data/outcome.hpp"
#include "data/targets.hpp"
#include "run/late_deadlines.hpp"
#include "run/object_names.hpp"
#include "wire/control.hpp"

namespace unravel {

/// How a run ended, as far as its process and the watchdog can tell.
struct Ending {
  wire::RunSlot slot;
  wire::LastWords words;
  std::string stopped;               // why the driver ended it; empty if it did not
  bool out_of_time = false;          // because of the time limit
  std::uint32_t stopped_thread = 0;  // the thread that had the turn
  std::uint64_t most_steps = 0;
  bool is_damaged = false;           // the program overwrote our memory: no data of the run is used
  std::optional<LateDeadline> late;  // a wait that would have ended earlier natively
};

struct Verdict {
  Outcome outcome = Outcome::kPassed;
  std::optional<Failure> failure;  // kind, detail and thread; the rest comes from the stacks
  std::string explanation;
  Reason reason = Reason::kNone;  // why it is unresolved
};

/// `skip_status` is the exit status of a skipped test.
Verdict judge(const Ending& ending, const Targets& targets,
              std::optional<int> skip_status = std::nullopt);

/// The verdict of the oracle on a run that ended well.
Verdict judge_oracle(int exit_status, const Targets& targets);

/// The verdict of the client on a run that ended well. `skip_status` as for judge().
Verdict judge_client(const ClientEnd& end, const Targets& targets, std::optional<int> skip_status);

/// The verdict on a run that ended well, but with unexpected output.
Verdict judge_output(const std::string& difference, const Targets& targets);

/// A failure that is not a target: the run passed, and says so.
Verdict no_target(FailureKind kind, const std::string& detail);

/// The same verdict, except for a run that ended well without ever having two threads: it tested
/// nothing. `escape`: what was involved and is not controlled, such as a thread; empty: nothing.
Verdict if_tested(Verdict verdict, const wire::RunSlot& slot, const std::string& escape = {});

/// The same verdict, except for a standstill that `escape` could have ended: it is not a failure of
/// the program. `escape` is involved but not controlled.
Verdict doubt(Verdict verdict, const std::string& escape);

/// The verdict on a failure in a run with a late deadline: it may be one that no native run shows.
Verdict cannot_tell(const Failure& failure, const LateDeadline& late);

/// "T1→mutex 1→T2→mutex 2→T1": each thread wants what the next one holds.
std::string describe_cycle(std::span<const wire::CycleEdge> cycle, ObjectNames& names);
std::span<const wire::CycleEdge> cycle_of(const wire::LastWords& words);

/// "SIGSEGV", or "signal 60" where there is no name.
std::string signal_name(int number);

/// "T1:12+37", without the hooks where there are none.
std::string describe(wire::ThreadId thread, wire::Clock clock);

}  // namespace unravel
