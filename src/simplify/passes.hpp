/// The passes of Tinertia (Jalbert and Sen, FSE 2010, algorithm 1), slice by slice.
///
/// Slices before `first` are left as they are.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// From the end: the last slice of each thread goes.
void remove_last_slices(Attempts& attempts, std::size_t first = 0);

/// From the beginning: a thread that could have gone on does, up to the end of its next slice; else
/// as far as it came in the run that tried that. One that was blocked is not tried: it still is.
void consolidate_up(Attempts& attempts, std::size_t first = 0);

/// From the end: what a thread did before is done when it next runs.
void consolidate_down(Attempts& attempts, std::size_t first = 0);

}  // namespace unravel
