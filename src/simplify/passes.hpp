/// The passes of Tinertia (Jalbert and Sen, FSE 2010, algorithm 1), slice by slice.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

struct Sweep {
  std::size_t first = 0;              // slices before it are left as they are
  std::size_t patience = kFewSlices;  // so many tries in vain, and it is over
  bool rejoins = false;               // beyond the paper, see Edit
};

/// From the end: the last slice of each thread goes.
void remove_last_slices(Attempts& attempts, const Sweep& sweep = {});

/// From the beginning: a thread that could have gone on does, up to the end of its next slice; else
/// as far as it came in the run that tried that. One that never ran again goes on until it cannot.
/// One that was blocked is not tried: it still is.
void consolidate_up(Attempts& attempts, const Sweep& sweep = {});

/// From the end: what a thread did before is done when it next runs.
void consolidate_down(Attempts& attempts, const Sweep& sweep = {});

}  // namespace unravel
