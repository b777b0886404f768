/// The interleaving table: one column per thread; one row per operation and per memory access at
/// which a thread was preempted; switches between the rows.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>

#include "data/run.hpp"
#include "report/table_rows.hpp"
#include "report/text.hpp"

namespace unravel {

struct TableOptions {
  static constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

  std::size_t columns = 100;  // of the screen
  std::size_t rows = 40;      // at most, not counting switches
  bool source = true;         // show source lines if there is room
};

/// The lines of the table, each with a newline. No line is wider than the screen, unless the screen
/// is too narrow for any table. Empty if the run has no steps.
std::string render_table(const Run& run, const TableOptions& options, Paint paint);

/// The same for rows that were not made of the steps of a run. `functions` are the main functions
/// of the threads.
std::string render_rows(const TableRows& table,
                        const std::map<std::uint32_t, std::string>& functions,
                        const TableOptions& options, Paint paint);

/// The main function of a thread: the outermost frame in the program's own code. Empty: none.
std::string thread_function(const Stack& stack);

}  // namespace unravel
