#include "simplify/simplifier.hpp"

#include "simplify/groups.hpp"
#include "simplify/passes.hpp"
#include "simplify/transplant.hpp"

namespace unravel {

namespace {

// As far as delta debugging goes before other ways are tried.
constexpr std::size_t kFewParts = 8;

}  // namespace

Simplified simplify(Laboratory& laboratory, Run failing, const SimplifyLimits& limits) {
  Simplified result;
  result.before = cost_of(failing.summary);
  const std::size_t slices = failing.schedule.slices.size();
  const std::size_t first = limits.suffix && limits.suffix < slices ? slices - limits.suffix : 0;

  Attempts attempts(laboratory, std::move(failing), limits.goes_on);
  if (keep_last_preemptions(attempts, first)) leave_out_preemptions(attempts, first, kFewParts);
  if (first == 0 && attempts.cost().preemptions > kEnoughPreemptions)
    transplant_preemption(attempts);
  leave_out_preemptions(attempts, first);
  leave_end_to_rule(attempts, first);
  leave_out_bystanders(attempts, first);
  join_piecemeal(attempts, first);
  for (bool progress = true; progress && !attempts.over(); ++result.rounds) {
    const Cost before = attempts.cost();
    remove_last_slices(attempts, first);
    consolidate_up(attempts, first);
    consolidate_down(attempts, first);
    progress = attempts.cost() < before;
  }

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
