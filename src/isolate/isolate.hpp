/// Isolate: narrows a passing and a failing run to the smallest difference that still decides.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002. This room knows
/// runs, and a laboratory that tries schedules; it knows nothing of processes, files or the
/// terminal. It counts in runs and draws from one seed, so the result repeats with any number of
/// workers.
///
///   other_run    another outcome close by, where only one is known (section 5)
///   difference   two schedules → groups of deltas (section 4.3)
///   dd           fewer and fewer deltas between what passes and what fails (figure 7)
#pragma once

#include "isolate/other_run.hpp"

namespace unravel {

struct IsolateSettings {
  bool others_fail = false;  // count any failure; otherwise other failures are unresolved
  std::uint64_t seed = 1;
  double first_width = Neighbours::kNarrowest;  // for the search for another run
  ExperimentLimits search;                      // for another run
  ExperimentLimits narrowing;
};

/// A switch at another count, or to another thread, in the two runs.
struct SwitchDifference {
  std::size_t index = 0;      // from 0
  wire::ClockSwitch passing;  // as requested
  wire::ClockSwitch failing;
  bool receiver_differs = false;
  // The slices that the switch ended; nothing if that run had already ended.
  std::optional<std::uint32_t> passing_slice;
  std::optional<std::uint32_t> failing_slice;

  friend bool operator==(const SwitchDifference&, const SwitchDifference&) = default;
};

/// A choice that differs, or that only one run makes.
struct ChoiceDifference {
  std::optional<wire::Choice> passing;
  std::optional<wire::Choice> failing;

  friend bool operator==(const ChoiceDifference&, const ChoiceDifference&) = default;
};

struct Isolated {
  // The last runs of each outcome, as realised. Nothing: no run of that outcome was found, and then
  // all fields below are empty, except `neighbour_tests`.
  std::optional<KnownRun> passing;
  std::optional<KnownRun> failing;
  std::vector<SwitchDifference> switches;
  std::vector<ChoiceDifference> choices;
  std::uint64_t deltas = 0;           // at first
  std::uint64_t deltas_left = 0;      // deltas between `passing` and `failing`
  std::uint64_t neighbour_tests = 0;  // runs to find the other outcome
  std::uint64_t tests = 0;            // runs to narrow the difference
  std::uint64_t unresolved = 0;       // tests among `tests`
  // No single delta can be left out. Otherwise limits were reached or, with an error, a run could
  // not be made. The difference is valid in any case.
  bool minimal = false;
  std::optional<Error> error;
  std::vector<DeltaTest> history;  // all tests, including invalid schedules that were not run
};

/// The slice that the switch of this index ended; nothing if the run had already ended. Switches
/// with the same count happen at the same point.
std::optional<std::uint32_t> slice_of(const KnownRun& known, std::size_t index);

/// Narrows the difference of a passing and a failing run, by their clock form and choices. Returns
/// an error if they do not differ.
Result<Isolated> isolate(Laboratory& laboratory, KnownRun passing, KnownRun failing,
                         const IsolateSettings& options = {});

/// First finds a passing run near `failing`.
Result<Isolated> isolate_from_failing(Laboratory& laboratory, Run failing,
                                      const IsolateSettings& options = {});

/// First finds a failing run near `passing`.
Result<Isolated> isolate_from_passing(Laboratory& laboratory, Run passing,
                                      const IsolateSettings& options = {});

}  // namespace unravel
