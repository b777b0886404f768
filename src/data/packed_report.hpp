/// What `pack` has put into a file, and what not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unravel {

struct PackedReport {
  std::string run;
  std::string file;
  std::uint64_t bytes = 0;  // of the file
  bool has_table = false;
  bool has_inputs = false;             // a replay gets what came from outside from the file
  std::uint64_t input_bytes = 0;       // of that
  std::string why_no_inputs;           // why it does not, although something came; else empty
  std::vector<std::string> variables;  // that are in the file
  std::uint64_t variables_left_out = 0;
  std::vector<std::string> loader_variables;  // among those left out: they say where code is
  std::vector<std::string> files;  // the program and its libraries, if they are in the file

  friend bool operator==(const PackedReport&, const PackedReport&) = default;
};

}  // namespace unravel
