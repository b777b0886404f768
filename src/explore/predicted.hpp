/// Runs that were predicted from traces of the hunt's own runs.
///
/// Huang and Zhang, "Persuasive Prediction of Concurrency Access Anomalies", ISSTA 2011, predict
/// anomalies from the trace of one run, and make the runs that should show them. Here every such
/// run is a lesson: it is made with a trace, and more is predicted from what it did. The hunt's
/// learner predicts; this strategy chooses the most promising run so far.
#pragma once

#include <set>

#include "base/hash_memory.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class Predicted final : public Strategy {
 public:
  // Slices of all waiting runs. The least promising runs are dropped beyond that. A slice takes
  // some 40 bytes. Chosen by hand.
  static constexpr std::size_t kMostSlices = 200'000;

  [[nodiscard]] std::string_view name() const override { return "predicted"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
  void offer(const std::vector<PredictedRun>& runs) override;
  [[nodiscard]] bool wants_predictions() const override { return true; }

  [[nodiscard]] bool has_any() const { return !waiting_.empty(); }

 private:
  struct Waiting {
    std::uint64_t cost = 0;
    std::uint64_t number = 0;  // of equally promising runs the older one comes first
    Proposal proposal;

    friend bool operator<(const Waiting& one, const Waiting& other) {
      return std::pair(one.cost, one.number) < std::pair(other.cost, other.number);
    }
  };

  std::set<Waiting> waiting_;
  HashMemory offered_;  // no run is made twice
  std::uint64_t number_ = 0;
  std::size_t slices_ = 0;
};

}  // namespace unravel
