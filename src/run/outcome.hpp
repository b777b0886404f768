/// Names the outcome of a run from what its process left: pure, knows no processes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/outcome.hpp"
#include "data/targets.hpp"
#include "run/object_names.hpp"
#include "wire/control.hpp"

namespace unravel {

/// How one run ended, as far as its process and the watchdog can tell.
struct Ending {
  wire::RunSlot slot;
  wire::LastWords words;
  std::string stopped;               // why the driver ended it; empty if it did not
  bool out_of_time = false;          // it was the clock
  std::uint32_t stopped_thread = 0;  // whose turn it was then
  std::uint64_t most_steps = 0;
  bool is_damaged = false;  // the program wrote where only we write: nothing of the run is believed
};

struct Verdict {
  Outcome outcome = Outcome::kPassed;
  std::optional<Failure> failure;  // kind, detail and thread; place and key come from its stacks
  std::string explanation;
  Reason reason = Reason::kNone;  // why it is unresolved
};

/// `skip_status` is the exit status by which a program says that it skipped its test.
Verdict judge(const Ending& ending, const Targets& targets,
              std::optional<int> skip_status = std::nullopt);

/// What the oracle's exit status makes of a run that ended well.
Verdict judge_oracle(int exit_status, const Targets& targets);

/// A run that ended well and wrote something else than was expected.
Verdict judge_output(const std::string& difference, const Targets& targets);

/// A run whose failure is no target has passed, and says so.
Verdict no_target(FailureKind kind, const std::string& detail);

/// The same verdict; but a run that ended well without ever having two threads tested nothing.
/// `escape` is what took part and is not controlled, such as a thread; empty: nothing did.
Verdict if_tested(Verdict verdict, const wire::RunSlot& slot, const std::string& escape = {});

/// The same verdict; but that threads stand still is no failure of the program if `escape`, which
/// took part and is not controlled, could have let them go on.
Verdict doubt(Verdict verdict, const std::string& escape);

/// "T1→mutex 1→T2→mutex 2→T1": each thread wants what the next one holds.
std::string describe_cycle(std::span<const wire::CycleEdge> cycle, ObjectNames& names);
std::span<const wire::CycleEdge> cycle_of(const wire::LastWords& words);

/// "SIGSEGV", or "signal 60" where there is no name.
std::string signal_name(int number);

/// "T1:12+37", without the hooks where there are none.
std::string describe(wire::ThreadId thread, wire::Clock clock);

}  // namespace unravel
