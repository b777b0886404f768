/// Strategies, which propose schedules between runs; the hunt loop runs them.
///
/// A strategy knows what was learnt about a program and the results of its own proposals. It knows
/// nothing of processes or time. With the same knowledge, seeds and observations it makes the same
/// proposals, so a hunt with one worker repeats.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "data/proposal.hpp"
#include "data/run.hpp"
#include "explore/knowledge.hpp"

namespace unravel {

/// The result of a proposal.
struct Observation {
  RunSummary run;
  bool is_new_schedule = false;   // no earlier run took these steps
  bool is_new_behaviour = false;  // no earlier run acted on objects in this order
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;

  /// The next run to try; all randomness comes from `seed`. Nothing: no proposal with what is known
  /// now.
  virtual std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) = 0;

  virtual void observe(const Proposal&, const Observation&) {}

  /// Takes runs that the analysis of a traced run proposes.
  virtual void offer(const std::vector<PredictedRun>&) {}
  /// Whether it does anything with them: to predict takes time.
  [[nodiscard]] virtual bool wants_predictions() const { return false; }
};

/// A proposal that leaves all steps to a rule.
Proposal by_rule(const Strategy& strategy, wire::Rule rule);

/// The strategy of this name; null if there is none.
std::unique_ptr<Strategy> make_strategy(std::string_view name);

/// All names that make_strategy knows, in the order in which reports list them.
const std::vector<std::string_view>& strategy_names();

}  // namespace unravel
