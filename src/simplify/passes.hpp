/// The passes of Tinertia (Jalbert and Sen, FSE 2010, algorithm 1), slice by slice.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

struct Sweep {
  std::size_t first = 0;              // slices before it do not change
  std::size_t patience = kFewSlices;  // stop after this many edits without improvement
  bool rejoins = false;               // beyond the paper, see Edit
};

/// From the last to the first: removes the last slice of each thread.
void remove_last_slices(Attempts& attempts, const Sweep& sweep = {});

/// From the first to the last: a preempted thread runs on to the end of its next slice, or else as
/// far as it got in the run that tried that. If it never ran again, it runs until it cannot
/// continue. Blocked threads are not tried: they would still be blocked.
void consolidate_up(Attempts& attempts, const Sweep& sweep = {});

/// From the last to the first: removes a slice, so that the thread's next slice does its work.
void consolidate_down(Attempts& attempts, const Sweep& sweep = {});

}  // namespace unravel
