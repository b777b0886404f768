/// Tries changed schedules of a failing run and continues from the best one that still fails.
#pragma once

#include <functional>
#include <unordered_set>

#include "data/cost.hpp"
#include "run/laboratory.hpp"
#include "simplify/edits.hpp"

namespace unravel {

struct Edit {
  /// The paper's operations, on one slice or many at a time.
  enum class Kind { kRemoveLast, kConsolidateUp, kConsolidateDown };
  static constexpr std::size_t kKinds = 3;

  Kind kind = Kind::kConsolidateUp;
  Slices slices;
  bool also_if_equal = false;  // accept it even at the same cost
  bool rejoins = false;        // if a thread takes another path, try once more from there
};

/// Up to this many slices, each one is tried. In longer runs the last slices that the rule made are
/// left alone: each would cost a run. Chosen by hand.
inline constexpr std::size_t kFewSlices = 100;

/// Judges a run by the slices it really took. A thread may be blocked where it should run, take
/// another path, or be woken elsewhere; steps without a slice follow a fair rule that does not
/// preempt. If the same failure occurs and the run is simpler, it becomes the new best.
class Attempts {
 public:
  /// Asked before each batch of runs, with the number of runs that a single worker would have made
  /// so far, and the best cost.
  using GoesOn = std::function<bool(std::uint64_t runs, const Cost& best)>;

  Attempts(Laboratory& laboratory, Run failing, GoesOn goes_on);

  /// Tries edits in order until one is better and returns its index; nothing if none is better or
  /// no more runs are allowed. Tries as many at a time as there are workers, and takes the first
  /// better one in order: the number of workers does not change the result.
  std::optional<std::size_t> first_better(const std::vector<Edit>& edits);
  bool is_better(Edit edit) { return first_better({std::move(edit)}).has_value(); }

  /// Records everything that the threads do in the best run. Nothing: it could not be run.
  std::optional<Observed> observe_best();
  /// The same for the run without slices, which follows the rule alone. Made only once.
  const Observed* observe_plain();
  std::optional<Observed> observe(const Slices& slices);

  /// Whether no more runs are allowed: it was told to stop, or the laboratory has failed.
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }

  [[nodiscard]] const Run& best() const { return best_; }
  /// The slices that can still be changed: those of the best run. In a long run, last slices that
  /// the rule made, and would make again, are left out.
  [[nodiscard]] const Slices& slices() const { return slices_; }
  [[nodiscard]] Cost cost() const { return cost_of(best_.summary); }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// The number of switches that edits of this kind removed.
  [[nodiscard]] std::uint64_t removed(Edit::Kind kind) const {
    return removed_[static_cast<std::size_t>(kind)];
  }
  /// The last run that was not better. Its slices tell how far the threads got.
  [[nodiscard]] const Run& missed() const { return missed_; }
  /// Passing runs that are one change away from the best; later ones are nearer.
  [[nodiscard]] const std::vector<Run>& passed() const { return passed_; }

 private:
  [[nodiscard]] Proposal proposal_of(const Slices& slices) const;
  std::optional<Observed> observe(const Proposal& proposal);
  [[nodiscard]] bool is_better(const Edit& edit, const Attempt& attempt) const;
  bool rejoin_is_better(const Edit& edit);
  void take(const Edit& edit, Run run);
  void leave(const Edit& edit, Attempt attempt);
  [[nodiscard]] std::size_t named(const Slices& asked) const;

  Laboratory& laboratory_;
  Run best_;
  Slices slices_;
  const GoesOn goes_on_;
  bool over_ = false;
  std::optional<Error> trouble_;
  std::uint64_t runs_ = 0;
  std::uint64_t needed_ = 0;  // runs that a single worker would have made
  std::uint64_t removed_[Edit::kKinds] = {};
  std::unordered_set<std::uint64_t> missed_before_;  // hashes of slices that were no better
  Run missed_;
  std::vector<Run> passed_;
  std::optional<Observed> plain_;
};

}  // namespace unravel
