/// The JSON of commands: one object, with the fields that the documents promise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/checked.hpp"
#include "data/checkup.hpp"
#include "data/explanation.hpp"
#include "data/explored.hpp"
#include "data/race.hpp"
#include "data/run.hpp"

namespace unravel {

inline constexpr int kJsonVersion = 1;

/// How many of several runs had this outcome.
struct OutcomeCount {
  Outcome outcome = Outcome::kPassed;
  std::uint64_t runs = 0;
};

/// A run, and what the command adds to it.
struct RunReport {
  const Run* run = nullptr;
  std::string schedule_file;                       // empty: there is none
  bool with_schedule = true;                       // include its string if it is short enough
  std::optional<bool> reproduced;                  // of a replay
  std::optional<ReproducedBy> reproduced_by = {};  // of a replay on another build
  bool has_recorded_inputs = false;                // of a replay
  const Divergence* divergence = nullptr;          // of a replay
  std::optional<std::uint64_t> runs;               // number of runs, if there were several
  std::vector<OutcomeCount> outcomes = {};         // of these runs
  bool with_operations = false;                    // include the table, if it is known
  const Error* unkept = nullptr;                   // why it could not be stored
};

/// A failure found by a hunt.
struct HuntFailure {
  RunReport run;
  std::uint64_t found_at_run = 0;
  const OrderCheck* order = nullptr;  // whether it depends on the order of threads
  const Simplification* simplified = nullptr;
  const SmallestDifference* difference = nullptr;  // to a passing run
  std::uint64_t explained_with = 0;                // number of runs
  std::uint64_t explained_at_most = 0;             // 0: it was not explained
};

struct HuntReport {
  Outcome outcome = Outcome::kPassed;
  Reason reason = Reason::kNone;  // if it is unresolved
  std::string why = {};           // likewise, as a sentence
  const Explored* explored = nullptr;
  std::vector<HuntFailure> failures;
  std::uint64_t known_failures = 0;    // runs with a known failure
  std::uint64_t earlier_failures = 0;  // failures found before the hunt was resumed
  std::uint64_t seed = 0;
  std::string ended;               // why it ended
  const Error* trouble = nullptr;  // an error that ended it, or occurred afterwards
};

std::string hunt_json(const HuntReport& report);

/// One test of several that were hunted separately.
struct TestReport {
  std::string test;
  HuntReport hunt;
};
/// Sums over all tests, all failures with the names of their tests, and an object for each test.
std::string tests_json(const std::vector<TestReport>& tests);
std::string check_json(const std::vector<Checked>& all);
std::string run_json(const RunReport& report);
std::string list_json(const std::vector<RunReport>& runs);
std::string snapshot_json(const Snapshot& snapshot);
std::string snapshots_json(const std::vector<Snapshot>& snapshots);
std::string races_json(const RaceReport& report);
std::string checkup_json(const Checkup& checkup);
std::string error_json(const Error& error);

}  // namespace unravel
