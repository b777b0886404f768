/// A finished run: its input, its decisions and its results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/client.hpp"
#include "data/divergence.hpp"
#include "data/environment.hpp"
#include "data/outcome.hpp"
#include "data/portable_constraint.hpp"
#include "data/program.hpp"
#include "data/schedule.hpp"
#include "data/site_maps.hpp"
#include "wire/event.hpp"

namespace unravel {

struct InputLog;

/// One row of the interleaving table: an operation with its source position.
struct Step {
  wire::Event event;
  Stack stack;         // innermost first; empty if not requested
  std::string object;  // the name of its object, such as "mutex 2" or "queue.head"
  std::string value;   // what a memory access read or wrote; empty if not known

  friend bool operator==(const Step&, const Step&) = default;
};

/// All live threads of a run at one stop.
struct Snapshot {
  wire::ThreadId thread;  // which has the turn
  wire::Clock clock;      // of that thread
  std::uint64_t step = 0;
  std::vector<ThreadAtFailure> threads;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// How far a run had come at one stop.
struct CountedStop {
  wire::ThreadId thread;  // which has the turn
  wire::Clock clock;      // of that thread
  std::uint64_t step = 0;
  bool is_point = true;  // otherwise a hook that only counts in the clock

  friend bool operator==(const CountedStop&, const CountedStop&) = default;
};

/// One thread at a stop.
struct Probe {
  wire::ThreadId thread;
  wire::Clock clock;
  Stack stack;
  std::string variable;  // the variable it is about to access; empty if it has no name
  std::string type;      // of the object that contains it; empty if not known

  friend bool operator==(const Probe&, const Probe&) = default;
};

/// What is known about every run.
struct RunSummary {
  Outcome outcome = Outcome::kPassed;
  std::optional<FailureKind> failure;
  Reason reason = Reason::kNone;  // why it is unresolved
  std::uint64_t ordinal = 0;
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;
  std::uint64_t switches = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t operations = 0;
  std::uint32_t threads = 0;   // in total, including main
  std::uint32_t children = 0;  // processes that the program created; they are not controlled
  std::uint64_t schedule_hash = 0;
  std::uint64_t behaviour = 0;  // equal for runs that differ only in orders without effect
  std::uint32_t pairs = 0;      // pairs of sites that met at an object
  std::uint32_t new_pairs = 0;  // those that had not met in earlier runs of the same process
  // Constraints of the proposal, a bit each; see wire::RunSlot.
  std::uint32_t kept = 0;
  std::uint32_t given_up = 0;
  // Accesses and results of operations that no earlier run of the same process had.
  std::uint32_t new_sites = 0;
  double seconds = 0;            // real time
  double processor_seconds = 0;  // of the run and the children that it waited for
};

struct Run {
  std::string id;  // given by the store
  Program program;
  // What the program was started in. For a stored run it is read only to run it again.
  std::shared_ptr<const Environment> environment;
  std::shared_ptr<const InputLog> inputs;  // null: they were not recorded
  std::optional<ClientEnd> client;         // how the process beside it ended, if it had one
  RunSummary summary;
  std::optional<Failure> failure;
  bool unverified = false;  // it failed, but a replay did not
  std::string explanation;  // why it is unresolved, diverged or an error; empty otherwise
  std::optional<Divergence> divergence;  // from the schedule or the inputs that it followed
  std::vector<std::string> warnings;
  std::string strategy;                         // the rule's or strategy's name
  Schedule schedule;                            // as realised
  std::vector<wire::ClockSwitch> clock_form;    // the same in clock form, without its choices
  std::vector<wire::Event> events;              // at trace level sync
  std::vector<Step> steps;                      // the table, if requested
  std::string why_no_table;                     // why a requested table could not be made
  std::vector<PortableConstraint> constraints;  // orders that caused a verified failure
  std::vector<Snapshot> snapshots;              // at the requested clocks, as they were reached
  std::vector<CountedStop> counted;             // likewise
  std::vector<Probe> probes;                    // at the requested clocks of single threads
  SiteMaps maps;                                // of a traced run: what has met so far
  std::string output;                           // standard output, or its head and tail
  std::string error_output;
  std::uint64_t output_left_out = 0;  // bytes between head and tail
  std::uint64_t error_output_left_out = 0;
};

}  // namespace unravel
