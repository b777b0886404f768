/// The program under test, and how to start it.
#pragma once

#include <string>
#include <vector>

namespace unravel {

struct Program {
  std::vector<std::string> arguments;  // [0] is what the user typed
  std::string path;                    // the file that [0] resolves to
  std::string directory;               // the working directory

  friend bool operator==(const Program&, const Program&) = default;
};

/// The program with its arguments, as one line for people.
std::string program_text(const Program& program);

}  // namespace unravel
