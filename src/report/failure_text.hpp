/// The end of a run as text: what failed, where, and where every thread was.
#pragma once

#include <string>

#include "data/failure_title.hpp"
#include "data/run.hpp"
#include "report/text.hpp"

namespace unravel {

/// The details below the title: the place with its source line, or the cycle of a deadlock, and the
/// stacks of all live threads with system code folded.
std::string failure_text(const Failure& failure, Paint paint);

/// The frames of a stack, one per line, with system code folded.
std::string stack_text(const Stack& stack, Paint paint);

/// `at T1:12, step 40`.
std::string snapshot_line(const Snapshot& snapshot);

/// Every thread of a snapshot with its state and stack.
std::string snapshot_text(const Snapshot& snapshot, Paint paint);

/// One line: `run 3fa9c1 failed: …`, `run 3fa9c1 passed`, or why the outcome is unclear.
std::string outcome_line(const Run& run, Paint paint);

/// `3 threads, 41 steps, 7 switches (2 preemptions), random seed 17, 0.01 s`.
std::string numbers_line(const Run& run);

/// How the client of a run ended, and what it wrote; empty if there was none.
std::string client_text(const Run& run);

}  // namespace unravel
