/// The interleaving table: one column per thread, a row per operation and per memory access at
/// which a thread was left, switches between them.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "data/run.hpp"
#include "report/text.hpp"

namespace unravel {

struct TableOptions {
  static constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

  std::size_t columns = 100;  // of the screen
  std::size_t rows = 40;      // in the clip, but for switches
  bool source = true;         // the text of the source lines, where there is room
};

/// Lines, each ended by a newline; none is wider than the screen, unless that is narrower than
/// any table can be. Empty if the run has no steps.
std::string render_table(const Run& run, const TableOptions& options, Paint paint);

}  // namespace unravel
