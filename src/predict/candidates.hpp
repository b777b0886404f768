/// Candidates: events of a run that another run may show as an anomaly.
///
/// The condition is the paper's (Huang and Zhang, "Persuasive Prediction of Concurrency Access
/// Anomalies", ISSTA 2011): nothing that must be so orders the events otherwise, and no lock keeps
/// them apart. It is too weak on purpose: witnesses and runs decide.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/history.hpp"
#include "predict/pattern.hpp"
#include "predict/reordering.hpp"

namespace unravel {

struct Candidate {
  AnomalyKind kind = AnomalyKind::kRace;
  std::uint32_t pattern = 0;  // index into the patterns; of deadlocks and orders: 0
  Goal goal;
  bool is_seen = false;           // the run itself shows it
  bool contradicts_spin = false;  // a loop that waits for a value orders it, probably on purpose
  bool is_marked = false;         // each of its units is in a region that the user marked

  [[nodiscard]] const std::vector<EventIndex>& events() const { return goal.events; }
};

struct CandidateLimits {
  // Instances of the same pattern at the same sites.
  std::uint32_t instances = 3;
  std::size_t candidates = 100'000;
};

/// Accesses that may form a pattern.
std::vector<Candidate> find_patterns(const History& history, const std::vector<Pattern>& patterns,
                                     const CandidateLimits& limits);

/// Threads that may wait for each other's locks in a circle; a join waits, too.
std::vector<Candidate> find_lock_cycles(const History& history, const CandidateLimits& limits);

/// Pairs of sections, of atomic accesses or of other operations that may come in the other order.
std::vector<Candidate> find_orders(const History& history, const CandidateLimits& limits);

/// Whether events that are wanted in this order have to come otherwise.
bool must_differ(const History& history, const std::vector<EventIndex>& events, bool with_spins);

/// The locks that a thread holds all the time between two of its events, inclusive.
Locksets::Id held_throughout(const History& history, Locksets& locksets, EventIndex one,
                             EventIndex other);

}  // namespace unravel
