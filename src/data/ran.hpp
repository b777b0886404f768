/// The result of one run, or of several runs up to the first failure.
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

/// How many runs had which outcome.
struct Tally {
  std::uint64_t asked_for = 0;
  std::uint64_t runs = 0;
  std::map<Outcome, std::uint64_t> by_outcome;
  std::string explanation;  // of the first run without a clear outcome, as an example
  Reason reason = Reason::kNone;
  RunSummary last;

  [[nodiscard]] std::uint64_t runs_that(Outcome outcome) const {
    const auto found = by_outcome.find(outcome);
    return found == by_outcome.end() ? 0 : found->second;
  }
  /// Whether any run was resolved.
  [[nodiscard]] bool tested() const { return runs > runs_that(Outcome::kUnresolved); }
  /// There is nothing to interleave: another run would be the same.
  [[nodiscard]] bool has_one_thread() const {
    return !tested() && (reason == Reason::kNoSecondThread || reason == Reason::kChildren);
  }
};

struct Ran {
  Program program;
  std::string rule;  // its name
  wire::PointSet points = wire::PointSet::kSync;
  std::optional<Tally> tally;  // of several runs
  // The only run, or the first of several with a failure or an error. Nothing: there was none.
  std::optional<Run> run;
  std::optional<Verification> verification;  // of the failure
  std::optional<Error> not_verified;         // why there is no verification
  std::optional<Error> unkept;               // why the run could not be stored
  std::string schedule_file;                 // empty: there is none
  std::vector<std::string> warnings;         // about the program and the machine

  /// A failure that was not reproduced, while something uncontrolled was involved.
  [[nodiscard]] bool is_doubtful() const { return verification && !verification->verified(); }
  /// An internal error, or an error that left the failure unverified. It is reported after the
  /// results.
  [[nodiscard]] std::optional<Error> trouble() const;
  /// The overall outcome of the runs.
  [[nodiscard]] Outcome outcome() const;
};

/// The internal error for a failure that was not reproduced although everything was controlled.
Error not_reproduced(const Run& run, const Verification& verification);

}  // namespace unravel
