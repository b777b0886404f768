/// Delta debugging over sets that are never written down.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, figure 7; Zeller and
/// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002. Deltas come in
/// groups, in the paper one for each thread switch, and those of a group are all alike: only how
/// many of them are applied matters. So a set of deltas is a count for every group, billions of
/// deltas are as cheap as a few, and of the parts of one group only those of different sizes are
/// tried.
///
/// Splitting follows the groups first: as long as there are no more parts than groups that differ,
/// a part is a row of whole groups. Of two halves, whose complements are each other, the outcome of
/// one is used at once.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"

namespace unravel {

/// How many deltas of each group are applied.
using DeltaCounts = std::vector<std::uint64_t>;

enum class DeltaOutcome : std::uint8_t {
  kPass,
  kFail,
  kUnresolved,
  kInvalid,  // unresolved, and known to be so without a test
};

/// What is narrowed down: with no delta it passes, with all of them it fails.
class DeltaSubject {
 public:
  virtual ~DeltaSubject() = default;

  /// The same counts are asked for once only. Nothing: no more tests can be made.
  virtual Result<std::optional<DeltaOutcome>> test(const DeltaCounts& counts) = 0;

  /// From now on what passes, or fails, is this, which was tested before.
  virtual void narrowed(const DeltaCounts& /*counts*/, DeltaOutcome /*outcome*/) {}
};

/// One test, with what differed when it was made.
struct DeltaTest {
  std::uint64_t groups = 0;
  std::uint64_t deltas = 0;
  DeltaOutcome outcome = DeltaOutcome::kUnresolved;

  friend bool operator==(const DeltaTest&, const DeltaTest&) = default;
};

/// Every count of `passing` is at most that of `failing`.
struct Narrowed {
  DeltaCounts passing;
  DeltaCounts failing;
  bool minimal = false;        // by definition 16; else it was stopped before
  std::optional<Error> error;  // that stopped it

  friend bool operator==(const Narrowed&, const Narrowed&) = default;
};

class DeltaDebugging {
 public:
  /// `sizes` of the groups; there is at least one delta.
  DeltaDebugging(const DeltaCounts& sizes, DeltaSubject& subject);

  /// The smallest difference that it can show, or has shown when it is stopped.
  Narrowed narrow();

  /// Definition 16 for any pair, by at most two tests for each group that differs: no single delta
  /// can be added to what passes so that it still passes, or taken from what fails so that it
  /// still fails. Nothing: no more tests can be made.
  Result<std::optional<bool>> is_minimal(const Narrowed& pair);

  /// In order; what was known is not in it.
  [[nodiscard]] const std::vector<DeltaTest>& history() const { return history_; }

 private:
  /// Of every group from `begin` to `end`: all that differs, but `most` at the most.
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::uint64_t most = 0;
  };

  struct Left {
    std::vector<std::size_t> groups;  // that differ
    std::uint64_t deltas = 0;
  };

  [[nodiscard]] Left left() const;
  [[nodiscard]] std::vector<Part> split(const Left& left, std::uint64_t parts) const;
  [[nodiscard]] std::vector<Part> rows_of_groups(const Left& left, std::uint64_t parts) const;
  [[nodiscard]] DeltaCounts with(const Part& part) const;
  [[nodiscard]] DeltaCounts without(const Part& part) const;

  bool try_halves(const std::vector<Part>& halves);
  bool try_parts(const std::vector<Part>& parts, std::uint64_t& granularity);
  DeltaOutcome test(const DeltaCounts& counts);
  void adopt(const DeltaCounts& counts, DeltaOutcome outcome);

  DeltaSubject& subject_;
  Narrowed pair_;
  bool stopped_ = false;                                   // no more tests can be made
  std::unordered_map<std::uint64_t, DeltaOutcome> known_;  // by the hash of the counts
  std::vector<DeltaTest> history_;
};

}  // namespace unravel
