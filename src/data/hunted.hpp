/// The result of a hunt.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/explored.hpp"
#include "data/finding.hpp"
#include "wire/schedule.hpp"

namespace unravel {

struct Hunted {
  Explored explored;
  std::vector<FoundFailure> found;
  std::uint64_t known_failures = 0;    // runs with a known failure
  std::uint64_t earlier_failures = 0;  // failures found before it was resumed
  std::uint64_t seed = 0;
  std::string ended;  // why, in one word
  wire::PointSet points = wire::PointSet::kSync;
  bool points_given = false;  // by the user
  bool goes_on = false;       // it was to continue after a failure
  bool has_hooks = false;     // of the program that really ran: a wrapper may start another one
  std::vector<std::string> warnings;  // about the program and the machine
  std::filesystem::path store;
  std::optional<Error> trouble;  // an error that ended it, or occurred afterwards

  /// A failure was verified, or is known from before.
  [[nodiscard]] bool failed() const;
  /// What the hunt says about the program; reason and explanation say why it is unresolved.
  [[nodiscard]] Outcome outcome() const;
  [[nodiscard]] Reason reason() const;
  [[nodiscard]] std::string why() const;
  [[nodiscard]] bool interrupted() const { return ended == "interrupted"; }
  /// There is nothing to interleave: another run would be the same.
  [[nodiscard]] bool has_nothing_to_interleave() const;
  /// A failure that was not reproduced: because of a bug of unravel (`is_our_fault`), or because
  /// something was not controlled.
  [[nodiscard]] const FoundFailure* unproved(bool is_our_fault) const;
};

/// One test of several that were hunted separately.
struct HuntedTest {
  std::string name;
  Hunted hunted;
};

}  // namespace unravel
