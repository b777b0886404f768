/// One hunt in one program, from its options to what came of it.
#pragma once

#include "cli/hunt_audience.hpp"
#include "cli/interruption.hpp"
#include "cli/known_failures.hpp"
#include "data/explored.hpp"
#include "report/json.hpp"

namespace unravel {

struct Hunted {
  Explored explored;
  std::vector<Kept> kept;
  std::uint64_t known_failures = 0;    // runs that failed in a way that is known
  std::uint64_t earlier_failures = 0;  // ways to fail that were found before it was resumed
  std::uint64_t seed = 0;
  std::string ended;  // why, in one word
  wire::PointSet points = wire::PointSet::kSync;
  bool has_hooks = false;             // what ran: a wrapper becomes another program
  std::vector<std::string> warnings;  // about the program and the machine
  std::filesystem::path store;
  std::optional<Error> trouble;  // that ended it, or came after

  /// A failure was seen and verified, or is known from before.
  [[nodiscard]] bool failed() const;
  /// What the hunt says about the program; why, if that is nothing.
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Reason reason() const;
  [[nodiscard]] std::string why() const;
  [[nodiscard]] bool interrupted() const { return ended == "interrupted"; }
  [[nodiscard]] HuntReport report() const;
  /// A failure that did not come back, which is a fault of ours or, if something was not
  /// controlled, is not.
  [[nodiscard]] const Kept* unproved(bool is_our_fault) const;
};

/// What all hunts of a command share.
struct HuntContext {
  const HuntOptions& options;
  const KnownFailures& known;
  const std::string& input;
  const Console& console;
  Interruption& interruption;
};

/// What is left to a budget of time when the search is over is for the explanation.
Result<Hunted> hunt_one(const HuntContext& context, const Program& program, Budget budget);

/// Its last words on the terminal.
void tell_hunt(const Hunted& hunted, const HuntContext& context);

/// One strategy by its name, or several that share the budget.
Result<std::unique_ptr<Strategy>> strategy_from(const std::string& names);

}  // namespace unravel
