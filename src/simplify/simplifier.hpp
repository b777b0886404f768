/// Finds the simplest run that fails in the same way as a given one.
///
/// Tinertia (Jalbert and Sen, FSE 2010) removes switches as long as the failure remains: it removes
/// the last slice of a thread, or joins two slices of a thread, up or down. Beyond the paper, whole
/// groups go first: all preemptions, all but the last few, threads that are not involved, and
/// slices of a thread that works piecemeal. Or a preemption is inserted into the run without any.
/// The rest is treated slice by slice, as in the paper, and in other orders, until nothing
/// improves.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// Most failures need no more preemptions than this; while there are more, simplify gets more runs.
/// Chosen by hand.
inline constexpr std::uint64_t kEnoughPreemptions = 2;

struct SimplifyLimits {
  std::uint64_t suffix = 0;  // change only this many slices at the end; 0: all
  Attempts::GoesOn goes_on = [](std::uint64_t, const Cost&) { return true; };
};

struct Simplified {
  Run run;  // the simplest run found, or the original
  Cost before;
  Cost after;
  std::uint64_t runs = 0;    // all runs that were made
  std::uint64_t rounds = 0;  // of the paper's passes
  std::uint64_t remove_last = 0;
  std::uint64_t consolidate_up = 0;
  std::uint64_t consolidate_down = 0;  // switches that each operation removed
  std::vector<Run> passed;             // one change away from the simplest, the nearest last
  bool complete = true;                // otherwise it was stopped, or an error occurred
  std::optional<Error> trouble;
};

/// `failing` is a whole run as it was realised, under the laboratory's own conditions.
Simplified simplify(Laboratory& laboratory, Run failing, const SimplifyLimits& limits = {});

}  // namespace unravel
