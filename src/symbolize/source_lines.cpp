#include "symbolize/source_lines.hpp"

#include <filesystem>
#include <fstream>

#include "base/text.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

// Larger sources are generated, and no person reads them.
constexpr std::uintmax_t kLargestSource = std::uintmax_t{16} << 20;

std::vector<std::string> read_lines(const std::string& file) {
  std::error_code error;
  // Debug information may name a pipe or device, which could block for ever.
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargestSource) return {};
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::optional<std::string> SourceLines::line(const std::string& file, int line) {
  if (file.empty() || line <= 0) return std::nullopt;
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, read_lines(file)).first;
  const std::vector<std::string>& lines = found->second;
  const auto index = static_cast<std::size_t>(line) - 1;
  if (index >= lines.size()) return std::nullopt;
  const std::string& text = lines[index];
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return std::nullopt;
  return clean(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
}

}  // namespace unravel
