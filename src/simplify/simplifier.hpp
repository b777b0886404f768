/// From a failing run to the simplest one that fails in the same way.
///
/// Tinertia (Jalbert and Sen, FSE 2010): switches are removed as long as the failure stays, by
/// leaving out the last slice of a thread and by joining two slices of a thread, up or down. Beyond
/// the paper whole groups go first: all preemptions, all but the last few, threads that take no
/// part in them, all that a thread does piecemeal; or a preemption is put into the run that has
/// none. What is left is then treated slice by slice, as the paper does, and in other orders, until
/// nothing is better.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// A failure needs no more preemptions than this, as a rule: with more, more is tried.
inline constexpr std::uint64_t kEnoughPreemptions = 2;

struct SimplifyLimits {
  std::uint64_t suffix = 0;  // only the last so many slices are changed; 0: all
  Attempts::GoesOn goes_on = [](std::uint64_t, const Cost&) { return true; };
};

struct Simplified {
  Run run;  // the simplest found; the one that came in, if nothing is simpler
  Cost before;
  Cost after;
  std::uint64_t runs = 0;    // all that were made
  std::uint64_t rounds = 0;  // of the paper's passes
  std::uint64_t remove_last = 0;
  std::uint64_t consolidate_up = 0;
  std::uint64_t consolidate_down = 0;  // switches that went by each
  std::vector<Run> passed;             // one change away from the simplest, the nearest last
  bool complete = true;                // else it was told to stop, or there was trouble
  std::optional<Error> trouble;
};

/// `failing` is a whole run as it was realised, at the laboratory's own conditions.
Simplified simplify(Laboratory& laboratory, Run failing, const SimplifyLimits& limits = {});

}  // namespace unravel
