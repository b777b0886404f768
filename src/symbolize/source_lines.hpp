/// Lines of the source files that debug information names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace unravel {

/// Lines of source files; each file is read once. If a file was edited after the program was built,
/// the lines are the new ones.
class SourceLines {
 public:
  /// The line without its indentation; nothing if there is no such line.
  std::optional<std::string> line(const std::string& file, int line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace unravel
