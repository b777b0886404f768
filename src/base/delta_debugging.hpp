/// Delta debugging over sets of deltas that are never enumerated.
///
/// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, figure 7; Zeller and
/// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002. Deltas come in
/// groups, in the paper one for each thread switch. Deltas of a group are equivalent: only their
/// number matters. So a set of deltas is one count per group, billions of deltas cost no more than
/// a few, and of the parts of one group only those of different sizes are tried.
///
/// Splitting follows the groups first: as long as there are no more parts than groups that differ,
/// a part is a row of whole groups. Two halves are each other's complements, so the outcome of one
/// is used at once.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"

namespace unravel {

/// The number of applied deltas in each group.
using DeltaCounts = std::vector<std::uint64_t>;

enum class DeltaOutcome : std::uint8_t {
  kPass,
  kFail,
  kUnresolved,
  kInvalid,  // unresolved, and known without a test
};

/// The subject of delta debugging. It passes without deltas and fails with all of them.
class DeltaSubject {
 public:
  virtual ~DeltaSubject() = default;

  /// Never called twice with the same counts. Nothing: no more tests can be made.
  virtual Result<std::optional<DeltaOutcome>> test(const DeltaCounts& counts) = 0;

  /// The passing or failing side is now this one, which was tested before.
  virtual void narrowed(const DeltaCounts& /*counts*/, DeltaOutcome /*outcome*/) {}
};

/// One test, and how many deltas were left when it was made.
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
  bool minimal = false;        // by definition 16; otherwise it was stopped earlier
  std::optional<Error> error;  // the reason why it stopped, if any

  friend bool operator==(const Narrowed&, const Narrowed&) = default;
};

class DeltaDebugging {
 public:
  /// `sizes`: deltas of each group; there is at least one delta.
  DeltaDebugging(const DeltaCounts& sizes, DeltaSubject& subject);

  /// The smallest difference it can find, or the smallest so far if it is stopped.
  Narrowed narrow();

  /// Checks definition 16 for any pair, with at most two tests for each group that differs: no
  /// single delta can be added to the passing side so that it still passes, or removed from the
  /// failing side so that it still fails. Nothing: no more tests can be made.
  Result<std::optional<bool>> is_minimal(const Narrowed& pair);

  /// All tests in order, without those whose outcome was known.
  [[nodiscard]] const std::vector<DeltaTest>& history() const { return history_; }

 private:
  /// All differing deltas of the groups from `begin` to `end`, but at most `most`.
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
