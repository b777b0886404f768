/// The rows of the interleaving table, independent of the width of the screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/run.hpp"

namespace unravel {

struct TableRow {
  enum class Kind {
    kOperation,
    kSwitch,   // `text` says why and to which thread
    kFailure,  // where the thread failed, or what it waits for forever
  };

  Kind kind = Kind::kOperation;
  std::uint32_t thread = 0;    // not used for a switch
  std::string at;              // `T1:12`
  std::string text;            // `lock mutex 1`
  std::optional<Frame> frame;  // the innermost frame in the program's own code
  bool preemption = false;     // the switch is a preemption
  bool starts = false;         // the thread starts in this row
  bool ends = false;           // the thread ends in this row
  bool marked = false;         // it is what the table is about

  friend bool operator==(const TableRow&, const TableRow&) = default;
};

struct TableRows {
  std::vector<TableRow> rows;
  std::uint64_t left_out = 0;  // operations before the first row
};

/// The row of a single step.
TableRow operation_row(const Step& step);

/// The last `most` operations of a run, with the switches between them and the failure at the end.
/// The run must have its steps.
TableRows table_rows(const Run& run, std::size_t most);

}  // namespace unravel
