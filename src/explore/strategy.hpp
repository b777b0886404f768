/// Explore: strategies, which propose schedules between runs, and campaigns, which run them.
///
/// A strategy knows what was learnt of a program and what came of its own proposals. It knows
/// nothing of processes or time: given the same knowledge, seeds and observations it proposes the
/// same, so that a hunt by one worker repeats.
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

/// What came of a proposal.
struct Observation {
  RunSummary run;
  bool is_new_schedule = false;   // no run of this loop took these steps
  bool is_new_behaviour = false;  // nor did anything to an object in this order
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;

  /// The next run to try, with randomness from `seed` alone. Nothing: it has none to propose, with
  /// what is known now.
  virtual std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) = 0;

  virtual void observe(const Proposal&, const Observation&) {}
};

/// A proposal that only a rule decides.
Proposal by_rule(const Strategy& strategy, wire::Rule rule);

/// By its name; null if there is none of that name.
std::unique_ptr<Strategy> make_strategy(std::string_view name);

/// Of all that make_strategy knows, in the order in which they are told.
const std::vector<std::string_view>& strategy_names();

}  // namespace unravel
