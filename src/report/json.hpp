/// What programs read: one object, with the fields that docs promise.
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

/// How many runs of a loop ended so.
struct OutcomeCount {
  Outcome outcome = Outcome::kPassed;
  std::uint64_t runs = 0;
};

/// A run with what a command knows about it besides.
struct RunReport {
  const Run* run = nullptr;
  std::string schedule_file;                       // empty: there is none
  bool with_schedule = true;                       // its string, if that is short enough
  std::optional<bool> reproduced;                  // by a replay
  std::optional<ReproducedBy> reproduced_by = {};  // on another build
  std::optional<std::uint64_t> runs;               // how many there were, in a loop
  std::vector<OutcomeCount> outcomes = {};         // and how they ended
  bool with_operations = false;                    // the table, where it is known
  const Error* unkept = nullptr;                   // why it is not in the store
};

/// A failure that a hunt found.
struct HuntFailure {
  RunReport run;
  std::uint64_t found_at_run = 0;
  const OrderCheck* order = nullptr;  // whether it depends on the order of threads
  const Simplification* simplified = nullptr;
  const SmallestDifference* difference = nullptr;  // from a run that passes
  std::uint64_t explained_with = 0;                // runs
  std::uint64_t explained_at_most = 0;             // 0: it was not explained
};

struct HuntReport {
  Outcome outcome = Outcome::kPassed;
  Reason reason = Reason::kNone;  // if it is unresolved
  std::string why = {};           // likewise, in a sentence
  const Explored* explored = nullptr;
  std::vector<HuntFailure> failures;
  std::uint64_t known_failures = 0;    // runs that failed in a way that is known
  std::uint64_t earlier_failures = 0;  // ways to fail that were found before it was resumed
  std::uint64_t seed = 0;
  std::string ended;               // why
  const Error* trouble = nullptr;  // that ended it, or came after
};

std::string hunt_json(const HuntReport& report);

/// One test of several, each hunted by itself.
struct TestReport {
  std::string test;
  HuntReport hunt;
};
/// All of them: sums, all failures with the test's name, and every test's own object.
std::string tests_json(const std::vector<TestReport>& tests);
std::string check_json(const std::vector<Checked>& all);
std::string run_json(const RunReport& report);
std::string list_json(const std::vector<RunReport>& runs);
std::string snapshot_json(const Snapshot& moment);
std::string races_json(const RaceReport& report);
std::string checkup_json(const Checkup& checkup);
std::string error_json(const Error& error);

}  // namespace unravel
