#include "symbolize/code_map.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace unravel {
namespace {

struct Line {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::string_view permissions;
  std::uint64_t file_offset = 0;
  std::uint64_t inode = 0;
  std::string_view path;
};

/// Calls `visit` with each line, without its line end.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Removes from `text` everything up to the next `separator`, with all separators there, and
/// returns it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(text.find_first_not_of(separator, end), text.size()));
  return part;
}

bool read_number(std::string_view text, int base, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<Line> read_line(std::string_view text) {
  Line line;
  const std::string_view start = take(text, '-');
  const std::string_view end = take(text, ' ');
  line.permissions = take(text, ' ');
  const std::string_view offset = take(text, ' ');
  take(text, ' ');  // device
  const std::string_view inode = take(text, ' ');
  line.path = text;
  if (line.permissions.size() < 3 || !read_number(start, 16, line.start) ||
      !read_number(end, 16, line.end) || !read_number(offset, 16, line.file_offset) ||
      !read_number(inode, 10, line.inode) || line.start >= line.end) {
    return std::nullopt;
  }
  return line;
}

bool is_executable(const Line& line) { return line.permissions[2] == 'x'; }

// Memory without a file, and names for readers only: [heap], [anon:…].
bool is_anonymous(const Line& line) {
  return line.path.empty() || (line.path.front() == '[' && !is_executable(line));
}

/// In a path, the kernel writes only an end of line differently, as \012. A path that really has
/// these four characters is mistaken for one with an end of line.
std::string unescaped(std::string_view path) {
  constexpr std::string_view kEndOfLine = "\\012";
  std::string text;
  for (std::size_t end; (end = path.find(kEndOfLine)) != path.npos;) {
    text.append(path.substr(0, end)).push_back('\n');
    path.remove_prefix(end + kEndOfLine.size());
  }
  return text.append(path);
}

MappedModule module_of(const Line& first) {
  return {.path = unescaped(first.path),
          .inode = first.inode,
          .start = first.start,
          .end = first.end,
          .base = first.start - first.file_offset,
          .parts = {}};
}

}  // namespace

const CodeMap::Stretch* CodeMap::find(std::uint64_t address) const {
  auto after = std::upper_bound(
      code.begin(), code.end(), address,
      [](std::uint64_t wanted, const Stretch& stretch) { return wanted < stretch.start; });
  if (after == code.begin()) return nullptr;
  const Stretch& stretch = *--after;
  return address < stretch.end ? &stretch : nullptr;
}

const MappedModule* CodeMap::below(std::uint64_t address) const {
  const MappedModule* nearest = nullptr;
  for (const MappedModule& module : modules) {
    if (module.start <= address && (!nearest || nearest->start < module.start)) nearest = &module;
  }
  return nearest;
}

CodeMap read_code_map(std::string_view maps) {
  CodeMap map;
  // The file of the last line with a file. Its lines follow each other, except for its zeroed
  // memory. It counts as a module from its first executable line on.
  MappedModule current;
  std::string_view path;  // as in the lines
  bool is_kept = false;
  const auto keep = [&] {
    if (is_kept) map.modules.back() = current;
  };
  for_each_line(maps, [&](std::string_view text) {
    const std::optional<Line> line = read_line(text);
    if (!line) return;
    if (is_anonymous(*line)) {
      if (is_executable(*line)) map.code.push_back({line->start, line->end, CodeMap::kNoModule});
      return;
    }
    if (line->path != path) {
      keep();
      path = line->path;
      current = module_of(*line);
      is_kept = false;
    }
    current.end = line->end;
    const bool shows_file = line->permissions[0] == 'r' && line->permissions[1] != 'w';
    if (shows_file) current.parts.push_back({line->start, line->end, line->file_offset});
    if (!is_executable(*line)) return;
    if (!is_kept) map.modules.push_back(current);
    is_kept = true;
    map.code.push_back({line->start, line->end, map.modules.size() - 1});
  });
  keep();
  return map;
}

std::string path_from_here(const std::string& path, std::uint64_t inode) {
  std::size_t start = 0;
  while (start < path.size() && path[start] == '/') {
    const char* rest = path.c_str() + start;
    struct stat status {};
    if (::stat(rest, &status) == 0 && S_ISREG(status.st_mode) &&
        is_same_inode(status.st_ino, inode)) {
      return rest;
    }
    start = std::min(path.find('/', start + 1), path.size());
  }
  return path;
}

std::string code_lines(std::string_view maps) {
  std::string lines;
  for_each_line(maps, [&](std::string_view text) {
    const std::optional<Line> line = read_line(text);
    if (line && is_executable(*line)) lines.append(text).push_back('\n');
  });
  return lines;
}

}  // namespace unravel
