/// Predicts runs from the traced runs of a hunt: for its strategy `predicted`.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "data/proposal.hpp"
#include "investigate/pursuits.hpp"
#include "predict/pattern.hpp"

namespace unravel {

class PredictedRuns {
 public:
  PredictedRuns();

  /// Whether the trace of a proposal's run is wanted. Traces of other strategies' runs are, if
  /// nothing is left that was predicted before: runs that were predicted one from another reach
  /// deeper than runs from many beginnings.
  [[nodiscard]] bool wants(const Proposal& proposal) const {
    return proposal.is_lesson || is_exhausted_;
  }

  /// A sink for such a trace. Pass it to take() afterwards.
  [[nodiscard]] std::unique_ptr<HistorySink> sink_for(const Proposal& proposal) const;

  /// Runs that the trace of a proposal's run suggests, a few.
  std::vector<PredictedRun> take(const Proposal& proposal, const Run& run,
                                 std::unique_ptr<HistorySink> sink);

 private:
  void analyse(std::unique_ptr<AnalysedRun> run);
  void start_anew();

  const std::vector<Pattern> patterns_;
  AtomicFunctions functions_;  // none: a hunt is told of no functions
  Pursuits pursuits_;
  // Attempts that were proposed and not made yet, by the hash of their proposal.
  std::unordered_map<std::uint64_t, PursuitAttempt> attempts_;
  std::unordered_map<std::uint64_t, std::size_t> findings_;  // by kind, pattern and sites
  std::size_t memory_ = 0;                                   // of histories and pursuits
  bool is_exhausted_ = true;                                 // there was nothing more to suggest
};

}  // namespace unravel
