/// What the runtime recorded beside its runs: see runtime/process/warnings.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unravel {

struct Notes {
  std::vector<std::string> uncontrolled;  // what the program uses that is not controlled
  std::vector<std::string> files;         // what it created, changed, renamed or removed
  bool more_files = false;                // there was no room for all

  friend bool operator==(const Notes&, const Notes&) = default;
};

Notes read_notes(std::string_view text);

/// "./out.txt, /tmp/lock and others"; empty if there are none.
std::string describe_files(const Notes& notes);

}  // namespace unravel
