/// What came of a hunt.
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
  std::uint64_t known_failures = 0;    // runs that failed in a way that is known
  std::uint64_t earlier_failures = 0;  // ways to fail that were found before it was resumed
  std::uint64_t seed = 0;
  std::string ended;  // why, in one word
  wire::PointSet points = wire::PointSet::kSync;
  bool points_given = false;          // by the user
  bool goes_on = false;               // it was to go on after a failure
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
  /// Another run would be the same: there is nothing to interleave.
  [[nodiscard]] bool has_nothing_to_interleave() const;
  /// A failure that did not come back, which is a fault of ours or, if something was not
  /// controlled, is not.
  [[nodiscard]] const FoundFailure* unproved(bool is_our_fault) const;
};

/// One test of several, hunted by itself.
struct HuntedTest {
  std::string name;
  Hunted hunted;
};

}  // namespace unravel
