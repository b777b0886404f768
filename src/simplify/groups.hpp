/// Many slices at a time, before each is looked at by itself: most of what can go goes in a few
/// runs.
///
/// Slices before `first` are left as they are.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// No preemption, or only the last few. Whether that is better.
bool keep_last_preemptions(Attempts& attempts, std::size_t first = 0);

/// Delta debugging (Zeller and Hildebrandt, TSE 2002) over preemptions: one half of them goes, or
/// one quarter, down to single ones; or until there are more than so many parts.
void leave_out_preemptions(Attempts& attempts, std::size_t first = 0,
                           std::size_t most_parts = ~std::size_t{0});

/// If there are many slices, the end is left to the rule, as far as that does not make it worse:
/// what the rule would do anyway need not be looked at.
void leave_end_to_rule(Attempts& attempts, std::size_t first = 0);

/// Threads that are neither preempted nor go on instead, and are not the one that fails.
void leave_out_bystanders(Attempts& attempts, std::size_t first = 0);

/// A thread that runs, waits and runs again does all of it when it is last needed.
void join_piecemeal(Attempts& attempts, std::size_t first = 0);

}  // namespace unravel
