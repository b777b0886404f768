/// The rows of the interleaving table, before anybody knows how wide the screen is.
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
    kSwitch,   // `text` says why and to whom
    kFailure,  // what the thread failed at, or waits for in vain
  };

  Kind kind = Kind::kOperation;
  std::uint32_t thread = 0;    // not of a switch
  std::string at;              // `T1:12`
  std::string text;            // `lock mutex 1`
  std::optional<Frame> frame;  // the program's own place
  bool preemption = false;     // of a switch
  bool starts = false;         // the thread's life begins or ends with this row
  bool ends = false;

  friend bool operator==(const TableRow&, const TableRow&) = default;
};

struct TableRows {
  std::vector<TableRow> rows;
  std::uint64_t left_out = 0;  // operations before the first row
};

/// One step by itself.
TableRow operation_row(const Step& step);

/// The last `most` operations of a run that has its steps, with the switches between them and
/// the failure behind them.
TableRows table_rows(const Run& run, std::size_t most);

}  // namespace unravel
