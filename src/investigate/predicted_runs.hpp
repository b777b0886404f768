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

  /// A sink for the trace of a proposal's run. Pass it to take() afterwards.
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
};

}  // namespace unravel
