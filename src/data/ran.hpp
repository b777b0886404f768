/// What came of one run, or of many up to the first that failed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/run.hpp"
#include "data/verification.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// How many runs of a loop ended how.
struct Tally {
  std::uint64_t asked_for = 0;
  std::uint64_t runs = 0;
  std::map<Outcome, std::uint64_t> by_outcome;
  std::string explanation;  // of the first run without a clear outcome; it stands for all
  Reason reason = Reason::kNone;
  RunSummary last;

  [[nodiscard]] std::uint64_t runs_that(Outcome outcome) const {
    const auto found = by_outcome.find(outcome);
    return found == by_outcome.end() ? 0 : found->second;
  }
  /// Whether anything can be said about the program.
  [[nodiscard]] bool tested() const { return runs > runs_that(Outcome::kUnresolved); }
  /// Nothing to interleave: another run would be the same.
  [[nodiscard]] bool has_one_thread() const {
    return !tested() && (reason == Reason::kNoSecondThread || reason == Reason::kChildren);
  }
};

struct Ran {
  Program program;
  std::string rule;  // its name
  wire::PointSet points = wire::PointSet::kSync;
  std::optional<Tally> tally;  // of many
  // The only run, or the first of many that failed or in which we did. Nothing: none of many.
  std::optional<Run> run;
  std::optional<Verification> verification;  // of a failure
  std::optional<Error> not_verified;         // why there is no verification
  std::optional<Error> unkept;               // why the store does not have the run
  std::string schedule_file;                 // empty: there is none
  std::vector<std::string> warnings;         // about the program and the machine

  /// A failure that did not come back although something took part that is not controlled.
  [[nodiscard]] bool is_doubtful() const { return verification && !verification->verified(); }
  /// A fault of ours, or an error that left the failure unverified: it comes after what was seen.
  [[nodiscard]] std::optional<Error> trouble() const;
  /// What the runs say about the program.
  [[nodiscard]] Outcome outcome() const;
};

/// The fault that is ours if a failure did not come back although all was controlled.
Error not_reproduced(const Run& run, const Verification& verification);

}  // namespace unravel
