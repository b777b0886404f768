/// A finding: what unravel tells a person about one thing that it found, whatever found it.
///
/// Every report consists of findings. A new output format needs to know only findings, and a new
/// analysis needs no new report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "data/explanation.hpp"
#include "data/race.hpp"
#include "data/run.hpp"
#include "data/verification.hpp"

namespace unravel {

enum class FindingKind {
  kFailure,     // a run failed
  kRace,        // two accesses that nothing orders
  kAnomaly,     // an order of accesses that no serial order of the operations has
  kConflict,    // two places that may meet
  kDivergence,  // a replay did not repeat its run
};
std::string_view name(FindingKind kind);

/// The role of a place in a finding.
enum class PlaceRole {
  kFails,      // where the failure was detected
  kPreempted,  // a thread was preempted here, and the failure needs that
  kMet,        // another thread acted on the same memory or object in between
  kResumed,    // the preempted thread acted on it again
  kEarlier,    // the first of two accesses, in the order in which they happened
  kLater,      // the second
};
std::string_view name(PlaceRole role);

struct FindingPlace {
  PlaceRole role = PlaceRole::kFails;
  Place place;
  std::string does;  // what the thread does there, such as "writes counter"; empty if not known
};

/// Ids of the runs of a finding; empty: there is none, or it is not stored.
struct FindingRuns {
  std::string found;       // where it was first seen
  std::string simplified;  // the simplest run that shows it
  std::string fails;       // this one and `passes` differ in one switch
  std::string passes;
};

/// What a user can do next.
struct NextCommand {
  std::string command;
  std::string purpose;
};

/// The explanation of a failure.
struct Explained {
  OrderCheck order;
  // Only if it depends on the order of threads, and there was enough time:
  std::optional<Simplification> simplified;
  Run run;                                       // the simplest run, as stored
  std::optional<SmallestDifference> difference;  // nothing: no passing run was found nearby
  std::uint64_t neighbours = 0;                  // runs tried to find a passing one
  std::uint64_t runs = 0;                        // runs that the explanation took
  std::uint64_t most_runs = 0;                   // runs that it was allowed
  bool stopped = false;                          // by an interruption, or at a limit
  bool interrupted = false;
};

/// A failure that a hunt or a prediction found and stored: the evidence of a finding of kind
/// failure.
struct FoundFailure {
  Run run;
  std::uint64_t found_at_run = 0;
  bool is_predicted = false;     // not by a hunt
  bool at_all_accesses = false;  // by one of the few runs that could switch at every access
  std::optional<Verification> verification;  // nothing: it could not be replayed
  std::optional<Explained> explained;
  std::optional<Error> unkept;  // why it could not be stored

  [[nodiscard]] bool verified() const { return verification && verification->verified(); }
};

struct Finding {
  FindingKind kind = FindingKind::kFailure;
  std::string key;  // equal for the same bug, whenever it is found
  std::string title;
  std::optional<Failure> failure;
  std::vector<FindingPlace> places;
  std::vector<std::string> variables;  // variables that are involved
  FindingRuns runs;
  std::uint64_t count = 1;  // how often it was seen
  std::vector<NextCommand> next;
  std::variant<std::monostate, FoundFailure, FoundRace> evidence;
};

Finding finding_of(FoundFailure failure);
Finding finding_of(FoundRace race);

}  // namespace unravel
