/// Removes many slices at a time, before single ones are tried: a few runs remove most of what can
/// be removed.
///
/// Slices before `first` do not change.
#pragma once

#include "simplify/attempts.hpp"

namespace unravel {

/// Removes all preemptions, or all but the last few. Returns whether that is better.
bool keep_last_preemptions(Attempts& attempts, std::size_t first = 0);

/// Delta debugging (Zeller and Hildebrandt, TSE 2002) over preemptions: removes halves, then
/// quarters, down to single ones, or until there are more than the given number of parts.
void leave_out_preemptions(Attempts& attempts, std::size_t first = 0,
                           std::size_t most_parts = ~std::size_t{0});

/// In a long run, leaves the last slices to the rule, as long as the run does not get worse. Slices
/// that the rule would make anyway need not be tried.
void leave_end_to_rule(Attempts& attempts, std::size_t first = 0);

/// Removes slices of threads that are not involved: they are not preempted, do not continue instead
/// of a preempted thread, and do not fail.
void leave_out_bystanders(Attempts& attempts, std::size_t first = 0);

/// If a thread runs, waits and runs again, does all of it in its last slice.
void join_piecemeal(Attempts& attempts, std::size_t first = 0);

}  // namespace unravel
