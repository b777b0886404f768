/// Runs made by hand, for reports that must look the same for ever.
#pragma once

#include "data/run.hpp"

namespace unravel {

/// Two threads take two locks in opposite order.
Run deadlocked_run();

/// Main joins its threads and finds that an update was lost.
Run lost_update_run();

/// Threads are left at memory accesses and at a function's entry.
Run plain_counter_run();

/// `threads` threads that lock and unlock one mutex in turn.
Run run_of_many_threads(std::uint32_t threads);

/// Long names, a failed try, template arguments, no debug information, text from hell.
Run run_with_odd_names();

}  // namespace unravel
