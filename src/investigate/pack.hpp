/// Packs a run into one file, which can be taken elsewhere: for `pack`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/packed_report.hpp"
#include "investigate/run_name.hpp"

namespace unravel {

struct PackRequest {
  RunName run;                         // empty: the latest failure
  std::string store;                   // a directory
  std::string file;                    // to write
  std::vector<std::string> variables;  // names of variables to pack
  bool with_program = false;           // pack the program and its libraries, too
  bool replaces = false;               // a file that exists is replaced
};

Result<PackedReport> pack(const PackRequest& request);

}  // namespace unravel
