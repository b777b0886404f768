#include "run/notes.hpp"

#include <algorithm>

namespace unravel {

Notes read_notes(std::string_view text) {
  Notes notes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line == "+") {
      notes.more_files = true;
    } else if (line.starts_with('/') || line.starts_with('.')) {
      notes.files.emplace_back(line);
    } else if (!line.empty()) {
      notes.uncontrolled.emplace_back(line);
    }
  }
  return notes;
}

std::string describe_files(const Notes& notes) {
  std::string text;
  for (const std::string& file : notes.files) text += (text.empty() ? "" : ", ") + file;
  if (!notes.more_files) return text;
  return text.empty() ? "files with long names" : text + " and others";
}

}  // namespace unravel
