#include "simplify/simplifier.hpp"

#include "simplify/fewer_preemptions.hpp"
#include "simplify/groups.hpp"
#include "simplify/passes.hpp"
#include "simplify/transplant.hpp"

namespace unravel {

namespace {

// How many parts delta debugging makes before other edits are tried. These constants are chosen by
// hand; bench/README.md (simplify) measures the result of all of them together.
constexpr std::size_t kFewParts = 8;
// After this many edits of one kind without improvement, other edits come first.
constexpr std::size_t kLittlePatience = 3;
// How many transplants to try at least: with many preemptions, it is not known which ones are
// needed.
constexpr std::size_t kFewTries = 3;
constexpr std::size_t kMoreTries = 4;

/// Repeats until no pass improves; returns the number of rounds.
std::uint64_t repeat_passes(Attempts& attempts, const Sweep& sweep) {
  std::uint64_t rounds = 0;
  for (bool progress = true; progress && !attempts.over(); ++rounds) {
    const Cost before = attempts.cost();
    consolidate_down(attempts, sweep);
    consolidate_up(attempts, sweep);
    remove_last_slices(attempts, sweep);
    progress = attempts.cost() < before;
  }
  return rounds;
}

}  // namespace

Simplified simplify(Laboratory& laboratory, Run failing, const SimplifyLimits& limits) {
  Simplified result;
  result.before = cost_of(failing.summary);
  const std::size_t slices = failing.schedule.slices.size();
  const std::size_t first = limits.suffix && limits.suffix < slices ? slices - limits.suffix : 0;

  Attempts attempts(laboratory, std::move(failing), limits.goes_on);
  if (keep_last_preemptions(attempts, first)) leave_out_preemptions(attempts, first, kFewParts);
  if (first == 0 && attempts.cost().preemptions > kEnoughPreemptions)
    transplant_preemption(attempts, kFewTries);
  leave_out_preemptions(attempts, first);
  leave_end_to_rule(attempts, first);
  leave_out_bystanders(attempts, first);
  join_piecemeal(attempts, first);
  result.rounds =
      repeat_passes(attempts, {.first = first, .patience = kLittlePatience, .rejoins = true});
  if (attempts.cost().preemptions > 0) postpone(attempts, {first, kLittlePatience});
  // The remaining preemptions are the best candidates for a single one that is enough.
  if (first == 0 && attempts.cost().preemptions > 1) {
    transplant_preemption(attempts, kMoreTries);
  }
  result.rounds += repeat_passes(attempts, {.first = first, .rejoins = true});
  lengthen_preempted(attempts, {first});

  result.run = attempts.best();
  result.after = attempts.cost();
  result.runs = attempts.runs();
  result.remove_last = attempts.removed(Edit::Kind::kRemoveLast);
  result.consolidate_up = attempts.removed(Edit::Kind::kConsolidateUp);
  result.consolidate_down = attempts.removed(Edit::Kind::kConsolidateDown);
  result.passed = attempts.passed();
  result.complete = !attempts.over();
  result.trouble = attempts.trouble();
  return result;
}

}  // namespace unravel
