/// Isolate: a run that passes and one that fails → the smallest difference that still decides.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002. Knows runs, and a
/// laboratory in which schedules are tried; knows nothing of processes, files or the terminal. All
/// of it is counted in runs and drawn from one seed, so that the same is found again, with any
/// number of workers.
///
///   other_run    another outcome close by, where only one is known (section 5)
///   difference   two schedules → groups of deltas (section 4.3)
///   dd           fewer and fewer deltas between what passes and what fails (figure 7)
#pragma once

#include "isolate/other_run.hpp"

namespace unravel {

struct IsolateSettings {
  bool others_fail = false;  // other failures are failures too; else they are unresolved
  std::uint64_t seed = 1;
  double first_width = Neighbours::kNarrowest;  // of the search for another run
  ExperimentLimits search;                      // for another run
  ExperimentLimits narrowing;
};

/// A switch that is not made at the same count, or not to the same thread, in both.
struct SwitchDifference {
  std::size_t index = 0;      // among the switches, from 0
  wire::ClockSwitch passing;  // as they were asked for
  wire::ClockSwitch failing;
  bool receiver_differs = false;
  // The slices of both runs that it ended; nothing if the run had ended before.
  std::optional<std::uint32_t> passing_slice;
  std::optional<std::uint32_t> failing_slice;

  friend bool operator==(const SwitchDifference&, const SwitchDifference&) = default;
};

/// A choice that both make otherwise, or only one makes.
struct ChoiceDifference {
  std::optional<wire::Choice> passing;
  std::optional<wire::Choice> failing;

  friend bool operator==(const ChoiceDifference&, const ChoiceDifference&) = default;
};

struct Isolated {
  // The last that were tried, as they were realised; nothing if no run of that outcome was found,
  // and then all below but `neighbour_tests` is empty.
  std::optional<KnownRun> passing;
  std::optional<KnownRun> failing;
  std::vector<SwitchDifference> switches;
  std::vector<ChoiceDifference> choices;
  std::uint64_t deltas = 0;           // at first
  std::uint64_t deltas_left = 0;      // in the difference above
  std::uint64_t neighbour_tests = 0;  // runs to find another outcome
  std::uint64_t tests = 0;            // runs to narrow the difference
  std::uint64_t unresolved = 0;       // of these
  // No single delta can be spared. Else limits were reached or, with an error, a run could not be
  // made; what is here was shown all the same.
  bool minimal = false;
  std::optional<Error> error;
  std::vector<DeltaTest> history;  // all tests, also of schedules that are invalid and were not run
};

/// Which slice of the run the switch of this index ended; nothing if the run had ended before. All
/// of one count are made at one point.
std::optional<std::uint32_t> slice_of(const KnownRun& known, std::size_t index);

/// Narrows the difference of two runs that are known to pass and to fail, by their clock form and
/// choices. An error if they differ in nothing.
Result<Isolated> isolate(Laboratory& laboratory, KnownRun passing, KnownRun failing,
                         const IsolateSettings& options = {});

/// Finds a run that passes near `failing` first.
Result<Isolated> isolate_from_failing(Laboratory& laboratory, Run failing,
                                      const IsolateSettings& options = {});

/// Finds a run that fails near `passing` first.
Result<Isolated> isolate_from_passing(Laboratory& laboratory, Run passing,
                                      const IsolateSettings& options = {});

}  // namespace unravel
