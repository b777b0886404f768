#include "simplify/simplifier.hpp"

#include "simplify/fewer_preemptions.hpp"
#include "simplify/groups.hpp"
#include "simplify/passes.hpp"
#include "simplify/transplant.hpp"

namespace unravel {

namespace {

// As far as delta debugging goes before other ways are tried.
constexpr std::size_t kFewParts = 8;
// So many tries of one kind in vain, and others may be better.
constexpr std::size_t kLittlePatience = 3;
// Preemptions to be transplanted: of many it is not known which are needed.
constexpr std::size_t kFewTries = 3;
constexpr std::size_t kMoreTries = 4;

/// As long as they make it better. Gives how often.
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
  // What is left tells best which preemption may be enough.
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
