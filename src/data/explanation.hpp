/// What is found out about a failure: the simplest run that shows it, and which switch decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/cost.hpp"
#include "data/frame.hpp"
#include "wire/ids.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// Where a thread stood at some clock of a run.
struct Place {
  wire::ThreadId thread;
  wire::Clock clock;
  Stack stack;                                       // innermost first; empty if it is not known
  wire::Operation pending = wire::Operation::kNone;  // what it was about to do
  std::string variable;                              // to which variable; empty if it has no name

  friend bool operator==(const Place&, const Place&) = default;
};

/// Whether a failure depends on the order of threads.
struct OrderCheck {
  bool depends = true;          // or it is not known
  bool one_thread = false;      // there is no order
  std::uint64_t schedules = 0;  // others under which it came, one after the other
};

/// A thread that could have gone on, and who went on instead.
struct Preemption {
  Place place;
  wire::ThreadId to;
};

struct Simplification {
  std::string run;  // the simplest; the run it was made from, if nothing is simpler
  std::string from;
  Cost before;
  Cost after;
  std::uint64_t runs = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
  // Switches that went by each operation.
  std::uint64_t remove_last = 0;
  std::uint64_t consolidate_up = 0;
  std::uint64_t consolidate_down = 0;
  bool complete = true;  // else it was stopped before nothing was better
  std::vector<Preemption> preemptions;
};

/// A switch that a run which passes and one which fails make otherwise.
struct DecidingSwitch {
  std::uint64_t number = 0;  // among the switches of both, from 1
  // Who was left where; nothing: that run had ended before.
  std::optional<Place> passing;
  std::optional<Place> failing;
  std::optional<wire::ThreadId> passing_to;
  std::optional<wire::ThreadId> failing_to;
};

/// A thread may be left anywhere between two places, others staying as they are, and it still
/// fails.
struct Window {
  Place first;
  Place last;
  std::uint64_t points = 0;  // from the first to the last
};

/// An access of the thread that was left, one of others while it was away, and one of it
/// afterwards, all to the same memory or object. Either the first or the last may be missing.
struct Conflict {
  std::string object;  // a name; empty if it has none
  struct Side {
    Place place;
    std::string operation;
  };
  std::optional<Side> before;
  Side between;
  std::optional<Side> after;
};

/// One of the tests that narrowed a difference down.
struct NarrowingTest {
  std::uint64_t deltas = 0;  // that were applied to the run which passes
  std::string outcome;       // "passed", "failed", "unresolved"
};

/// The smallest difference between a run that passes and one that fails.
struct SmallestDifference {
  std::string failing;
  std::string passing;
  std::uint64_t deltas = 0;  // at first
  std::uint64_t deltas_left = 0;
  std::uint64_t tests = 0;
  std::uint64_t neighbour_tests = 0;  // to find the other run
  std::uint64_t unresolved = 0;
  bool minimal = false;
  double seconds = 0;
  std::vector<DecidingSwitch> switches;
  std::vector<std::string> choices;  // that differ, in words
  // Moving that one slice's end in the failing run, and nothing else, makes it pass.
  bool flips = false;
  std::optional<Window> window;
  std::vector<Conflict> conflicts;
  std::vector<NarrowingTest> narrowing;
};

}  // namespace unravel
