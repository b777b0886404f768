/// What the runtime recorded besides its runs: see runtime/process/warnings.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unravel {

struct Notes {
  std::vector<std::string> uncontrolled;  // uncontrolled things that the program uses
  std::vector<std::string> files;         // files that it created, changed, renamed or removed
  bool more_files = false;                // there was no room for all names

  friend bool operator==(const Notes&, const Notes&) = default;
};

Notes read_notes(std::string_view text);

/// "./out.txt, /tmp/lock and others"; empty if there are none.
std::string describe_files(const Notes& notes);

}  // namespace unravel
