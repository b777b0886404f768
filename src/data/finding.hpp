/// A finding: what unravel tells a person about one thing that it found, whatever found it.
///
/// Every report is made of findings, so that a new format needs to know nothing else, and a new way
/// to find something needs no new report.
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
  kAnomaly,     // an order of accesses that no order of whole operations gives
  kConflict,    // two places that may meet
  kDivergence,  // a replay did not repeat its run
};
std::string_view name(FindingKind kind);

/// What a place has to do with a finding.
enum class PlaceRole {
  kFails,      // where the failure showed
  kPreempted,  // a thread was switched away from here, and the failure needs that
  kMet,        // another thread acted on the same memory or object meanwhile
  kResumed,    // the thread that was switched away acted on it again
  kEarlier,    // the first of two accesses, in the order in which they happened
  kLater,      // the second
};
std::string_view name(PlaceRole role);

struct FindingPlace {
  PlaceRole role = PlaceRole::kFails;
  Place place;
  std::string does;  // what the thread does there, such as "writes counter"; empty if not known
};

/// The runs that belong to a finding, by their ids; empty: there is none, or it is not kept.
struct FindingRuns {
  std::string found;       // in which it was seen
  std::string simplified;  // the simplest that shows it
  std::string fails;       // this one and `passes` differ in one switch
  std::string passes;
};

/// What a user can do next.
struct NextCommand {
  std::string command;
  std::string purpose;
};

/// All that is known of a failure once it was explained.
struct Explained {
  OrderCheck order;
  // Only if it depends on the order of threads, and there was time for it:
  std::optional<Simplification> simplified;
  Run run;                                       // the simplest, as it is kept
  std::optional<SmallestDifference> difference;  // nothing: no run near it that passes was found
  std::uint64_t neighbours = 0;                  // that were tried, then
  std::uint64_t runs = 0;                        // that all of it took
  std::uint64_t most_runs = 0;                   // that it might have taken
  bool stopped = false;                          // by an interruption, or at a limit
  bool interrupted = false;
};

/// A failure as a hunt found and kept it: the evidence of a finding of kind failure.
struct FoundFailure {
  Run run;
  std::uint64_t found_at_run = 0;
  std::optional<Verification> verification;  // nothing: it could not be replayed
  std::optional<Explained> explained;
  std::optional<Error> unkept;  // why it is not in the store

  [[nodiscard]] bool verified() const { return verification && verification->verified(); }
};

struct Finding {
  FindingKind kind = FindingKind::kFailure;
  std::string key;  // the same for one bug, whenever it is found
  std::string title;
  std::optional<Failure> failure;
  std::vector<FindingPlace> places;
  std::vector<std::string> variables;  // that it is about
  FindingRuns runs;
  std::uint64_t count = 1;  // how often it was seen
  std::vector<NextCommand> next;
  std::variant<std::monostate, FoundFailure, FoundRace> evidence;
};

Finding finding_of(FoundFailure failure);
Finding finding_of(FoundRace race);

}  // namespace unravel
