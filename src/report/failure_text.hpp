/// A run's end in words: what failed, where, and where every thread stood.
#pragma once

#include <string>

#include "data/failure_title.hpp"
#include "data/run.hpp"
#include "report/text.hpp"

namespace unravel {

/// What the title leaves out: the place with its source line or the cycle of a deadlock, and the
/// stacks of all live threads, system code folded.
std::string failure_text(const Failure& failure, Paint paint);

/// A stack's frames, a line each, system code folded.
std::string stack_text(const Stack& stack, Paint paint);

/// `at T1:12, step 40`.
std::string snapshot_line(const Snapshot& moment);

/// Every thread of a moment with its state and stack.
std::string snapshot_text(const Snapshot& moment, Paint paint);

/// `run 3fa9c1 failed: … ` in one line, or `passed`, or why there is no outcome.
std::string outcome_line(const Run& run, Paint paint);

/// `3 threads, 41 steps, 7 switches (2 preemptions), random seed 17, 0.01 s`.
std::string numbers_line(const Run& run);

}  // namespace unravel
