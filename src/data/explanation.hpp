/// An explanation of a failure: the simplest run that shows it, and the switch that decides.
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

/// Where a thread was at some clock of a run.
struct Place {
  wire::ThreadId thread;
  wire::Clock clock;
  Stack stack;                                       // innermost first; empty if not known
  wire::Operation pending = wire::Operation::kNone;  // its next operation
  std::string variable;  // the variable of that operation; empty if it has no name

  friend bool operator==(const Place&, const Place&) = default;
};

/// Whether a failure depends on the order of threads.
struct OrderCheck {
  bool depends = true;          // true also if it is not known
  bool one_thread = false;      // there is no order
  std::uint64_t schedules = 0;  // other schedules that showed the same failure
};

/// A thread that could have continued, and the thread that ran instead.
struct Preemption {
  Place place;
  wire::ThreadId to;
};

struct Simplification {
  std::string run;  // id of the simplest run; the original one if nothing is simpler
  std::string from;
  Cost before;
  Cost after;
  std::uint64_t runs = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
  // Switches that each operation removed.
  std::uint64_t remove_last = 0;
  std::uint64_t consolidate_up = 0;
  std::uint64_t consolidate_down = 0;
  bool complete = true;  // otherwise it was stopped while it could still improve
  std::vector<Preemption> preemptions;
  bool on_record = false;  // its runs got recorded inputs
};

/// A switch that differs between a passing and a failing run.
struct DecidingSwitch {
  std::uint64_t number = 0;  // its number, from 1
  // The thread that was left, and where; nothing: that run had already ended.
  std::optional<Place> passing;
  std::optional<Place> failing;
  std::optional<wire::ThreadId> passing_to;
  std::optional<wire::ThreadId> failing_to;
};

/// The places between which a thread can be switched away, with all other switches in place, so
/// that the run still fails.
struct Window {
  Place first;
  Place last;
  std::uint64_t points = 0;  // from the first place to the last
};

/// An access of the thread that was left, one of another thread in between, and a later one of the
/// first thread, all to the same memory or object. Either the first or the last may be missing.
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

/// One of the tests that narrowed a difference.
struct NarrowingTest {
  std::uint64_t deltas = 0;  // applied to the passing run
  std::string outcome;       // "passed", "failed", "unresolved"
};

/// The smallest difference between a passing and a failing run.
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
  std::vector<std::string> choices;  // choices that differ, in words
  // Moving the end of that one slice in the failing run, and nothing else, makes it pass.
  bool flips = false;
  std::optional<Window> window;
  std::vector<Conflict> conflicts;
  std::vector<NarrowingTest> narrowing;
  bool on_record = false;  // its runs got recorded inputs
};

}  // namespace unravel
