/// Tries changed schedules of a failing run and goes on from the best that still fails.
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
  bool also_if_equal = false;  // it is worth it even at the same cost
  bool rejoins = false;        // if a thread takes another path, it is tried once more from there
};

/// So many slices can each be looked at. If there are more, those that the rule made at the end of
/// a run, which would cost a run each, are left alone.
inline constexpr std::size_t kFewSlices = 100;

/// Judges by what was realised: a thread may be blocked where it was to run, take another path, or
/// be woken where it was not, and what no slice names is left to a fair rule that does not preempt.
/// If the same failure comes of it and the realised run is simpler, all goes on from that.
class Attempts {
 public:
  /// Asked before runs are made, with how many one worker would have made by then and the best so
  /// far.
  using GoesOn = std::function<bool(std::uint64_t runs, const Cost& best)>;

  Attempts(Laboratory& laboratory, Run failing, GoesOn goes_on);

  /// Tries one after the other until one is better. Gives its place; nothing if none is, or if
  /// nothing can be tried any more. As many are tried at a time as there are workers, and the first
  /// of those that are better is taken: how many workers there are changes nothing.
  std::optional<std::size_t> first_better(const std::vector<Edit>& edits);
  bool is_better(Edit edit) { return first_better({std::move(edit)}).has_value(); }

  /// Looks at everything that threads do in a run: of the best, or of one by these slices. Nothing:
  /// it cannot be had.
  std::optional<Observed> observe_best();
  /// The run without slices, all by the rule, which is looked at once.
  const Observed* observe_plain();
  std::optional<Observed> observe(const Slices& slices);

  /// Whether there is no more to come: it was told to stop, or the laboratory has failed.
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }

  [[nodiscard]] const Run& best() const { return best_; }
  /// What is left to be changed: the slices of the best run; if there are many, without those at
  /// its end that the rule made and would make again.
  [[nodiscard]] const Slices& slices() const { return slices_; }
  [[nodiscard]] Cost cost() const { return cost_of(best_.summary); }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// Switches that went by edits of this kind.
  [[nodiscard]] std::uint64_t removed(Edit::Kind kind) const {
    return removed_[static_cast<std::size_t>(kind)];
  }
  /// The last run that was not better; its slices tell how far threads came.
  [[nodiscard]] const Run& missed() const { return missed_; }
  /// Runs that passed although they were one change away from the best; later ones are nearer.
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
  std::uint64_t needed_ = 0;  // of them, by one worker
  std::uint64_t removed_[Edit::kKinds] = {};
  std::unordered_set<std::uint64_t> missed_before_;  // hashes of slices
  Run missed_;
  std::vector<Run> passed_;
  std::optional<Observed> plain_;
};

}  // namespace unravel
