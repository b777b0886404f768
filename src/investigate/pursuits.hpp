/// Pursuits: what was predicted and is still to be tried, most promising first.
///
/// A pursuit is one instance of a predicted anomaly in the trace of one run. It climbs the rungs of
/// witnesses until a run shows the anomaly.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "data/proposal.hpp"
#include "data/run.hpp"
#include "investigate/history_sink.hpp"
#include "predict/candidates.hpp"
#include "predict/fingerprints.hpp"
#include "predict/witness.hpp"

namespace unravel {

/// A run whose trace was analysed.
struct AnalysedRun {
  Run run;
  std::unique_ptr<HistorySink> sink;
  History history;
  Fingerprints fingerprints;
  std::uint32_t depth = 0;  // how many witnesses led to it
  bool is_new_path = true;  // some thread went a way that no run before went
};

struct Pursuit {
  std::size_t run = 0;  // index of its AnalysedRun
  Candidate candidate;
  std::size_t finding = 0;     // whatever the owner counts
  std::uint32_t instance = 0;  // of its finding, in this run
  std::size_t rung = 0;        // index of the next one
  bool is_settled = false;
  bool has_run = false;    // some witness was run
  bool is_turned = false;  // its other way is tried: see Pursuits::take
  std::string why;         // why its last witness failed

  [[nodiscard]] bool has_other_way() const {
    return !is_turned &&
           (candidate.kind == AnomalyKind::kRace || candidate.kind == AnomalyKind::kOrder);
  }
};

/// A run to make.
struct PursuitAttempt {
  std::size_t pursuit = 0;
  std::int64_t cost = 0;  // the lower, the more promising
  Rung rung = Rung::kSyncPreserving;
  Goal goal;
  Proposal proposal;
  std::vector<ExpectedEvent> expected;
  bool is_marked = false;  // its units are in regions that the user marked
};

class Pursuits {
 public:
  struct Options {
    std::vector<Rung> rungs;
    std::uint64_t seed = 1;
  };

  explicit Pursuits(Options options) : options_(std::move(options)) {}

  std::size_t add(std::unique_ptr<AnalysedRun> run);
  void add(Pursuit pursuit);

  /// The next run to make; nothing: all was tried.
  std::optional<PursuitAttempt> next() {
    std::size_t searches = std::numeric_limits<std::size_t>::max();
    return next(searches);
  }
  /// The same with at most so many searches for a witness; takes off those that were made.
  std::optional<PursuitAttempt> next(std::size_t& searches);

  /// Takes what came of an attempt. If the run showed what was predicted, the pursuit goes on with
  /// its other way, if it has one: a race in the other order, or an order after which the other
  /// thread goes on. If not, it goes on with its next rung.
  void take(std::size_t pursuit, bool is_shown, std::string why);

  /// Whether a thread went a way, or read from a write, as in no analysed run before.
  bool is_new(AnalysedRun& run) const;

  /// Whether next() has something left to look at.
  [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }
  /// How many pursuits have rungs on which no witness was searched for.
  [[nodiscard]] std::size_t not_searched() const;

  [[nodiscard]] Pursuit& at(std::size_t pursuit) { return pursuits_[pursuit]; }
  [[nodiscard]] const std::vector<Pursuit>& all() const { return pursuits_; }
  [[nodiscard]] const AnalysedRun& run_of(std::size_t pursuit) const {
    return *runs_[pursuits_[pursuit].run];
  }
  [[nodiscard]] const AnalysedRun& run_at(std::size_t run) const { return *runs_[run]; }
  [[nodiscard]] std::size_t run_count() const { return runs_.size(); }

  /// The events of a goal, as a run should make them.
  static std::vector<ExpectedEvent> expected_of(const History& history, const Goal& goal);

 private:
  struct Waiting {
    std::int64_t cost;
    std::size_t pursuit;

    friend bool operator<(const Waiting& one, const Waiting& other) {
      return std::pair(one.cost, one.pursuit) > std::pair(other.cost, other.pursuit);
    }
  };

  [[nodiscard]] std::int64_t cost(const Pursuit& pursuit) const;
  void queue(std::size_t pursuit);
  std::optional<PursuitAttempt> attempt(std::size_t pursuit);
  std::optional<PursuitAttempt> by_constraints(std::size_t pursuit, PursuitAttempt attempt);

  Options options_;
  std::vector<std::unique_ptr<AnalysedRun>> runs_;
  std::vector<Pursuit> pursuits_;
  std::priority_queue<Waiting> waiting_;
  std::vector<std::int64_t> tries_;  // runs that were made, by finding
  std::set<std::uint64_t> tried_;    // hashes of runs that were made: no run is made twice
  std::set<std::uint64_t> paths_;    // fingerprints of analysed runs
  std::set<std::uint64_t> sources_;  // likewise
};

/// What may go wrong in another order of a run's events, of these kinds; nothing: of all.
std::vector<Candidate> find_candidates(const History& history, const std::vector<Pattern>& patterns,
                                       const std::optional<std::array<bool, kAnomalyKinds>>& kinds);

/// A run through these slices, and then on without more switches than it needs.
Proposal proposal_through(const Schedule& base, std::vector<wire::Slice> slices);

}  // namespace unravel
