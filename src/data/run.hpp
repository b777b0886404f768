/// A finished run: what went in, what was decided, what came out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/environment.hpp"
#include "data/outcome.hpp"
#include "data/portable_constraint.hpp"
#include "data/program.hpp"
#include "data/schedule.hpp"
#include "data/site_maps.hpp"
#include "wire/event.hpp"

namespace unravel {

/// One row of the interleaving table: an operation with the source that made it.
struct Step {
  wire::Event event;
  Stack stack;         // innermost first; empty where it was not asked for
  std::string object;  // a name for what it acted on, such as "mutex 2" or "queue.head"
  std::string value;   // what a memory access read or wrote; empty if that is not known

  friend bool operator==(const Step&, const Step&) = default;
};

/// All live threads of a run at one moment of it.
struct Snapshot {
  wire::ThreadId thread;  // who has the turn
  wire::Clock clock;      // and where it stands
  std::uint64_t step = 0;
  std::vector<ThreadAtFailure> threads;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

/// One thread where it was to be held.
struct Probe {
  wire::ThreadId thread;
  wire::Clock clock;
  Stack stack;
  std::string variable;  // that it is about to access; empty if it has no name
  std::string type;      // the object's that it is part of; empty if it is not known

  friend bool operator==(const Probe&, const Probe&) = default;
};

/// What every run leaves, however it was run.
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
  std::uint32_t threads = 0;   // ever, main among them
  std::uint32_t children = 0;  // processes that the program made, which are not controlled
  std::uint64_t schedule_hash = 0;
  std::uint64_t behaviour = 0;   // the same for runs that differ only in what does not matter
  std::uint32_t pairs = 0;       // of sites that met at an object
  std::uint32_t new_pairs = 0;   // and had not in earlier runs of the same process
  double seconds = 0;            // of real time
  double processor_seconds = 0;  // of the run, and of the children that it waited for
};

struct Run {
  std::string id;  // given by the store
  Program program;
  // What the program was started in. Of a run from the store it is read only to run it again.
  std::shared_ptr<const Environment> environment;
  RunSummary summary;
  std::optional<Failure> failure;
  bool unverified = false;  // it failed, and did not when it was replayed
  std::string explanation;  // why it is unresolved, diverged or an error; empty otherwise
  std::vector<std::string> warnings;
  std::string strategy;                         // the rule's or strategy's name
  Schedule schedule;                            // as realised
  std::vector<wire::ClockSwitch> clock_form;    // the same in clock form, without its choices
  std::vector<wire::Event> events;              // at trace level sync
  std::vector<Step> steps;                      // the table, once somebody asked for it
  std::vector<PortableConstraint> constraints;  // what made a verified failure, in any build
  std::optional<Snapshot> snapshot;             // at the clock where it was asked for
  std::vector<Probe> probes;                    // at single threads, likewise
  SiteMaps maps;                                // of a traced run: what was met by then
  std::string output;                           // standard output, or its head and tail
  std::string error_output;
  std::uint64_t output_left_out = 0;  // bytes between them
  std::uint64_t error_output_left_out = 0;
};

}  // namespace unravel
