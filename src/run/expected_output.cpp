#include "run/expected_output.hpp"

#include <algorithm>
#include <cstdio>

namespace unravel {
namespace {

// kMostShown: two such parts of a line fit a report. kMostInCommon: how much of the common
// beginning shows the place. Chosen by hand.
constexpr std::size_t kMostShown = 60;
constexpr std::size_t kMostInCommon = 20;

/// The first line of the text, with its newline if it has one.
std::string_view front_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  return text.substr(0, end == std::string_view::npos ? end : end + 1);
}

std::string_view without_newline(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

/// The first byte of the UTF-8 character that contains byte `at`; `at` if there is none.
std::size_t character_begin(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  std::size_t begin = at;
  while (begin > 0 && at - begin < 3 && continues(begin)) --begin;
  return continues(begin) ? at : begin;
}

/// Escapes control characters: a terminal would hide or execute them, and one may be the only
/// difference.
std::string spelt_out(std::string_view text) {
  std::string spelt;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '\t') {
      spelt += "\\t";
    } else if (byte == '\r') {
      spelt += "\\r";
    } else if (code < 0x20 || code == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", code);
      spelt += escape;
    } else {
      spelt += byte;
    }
  }
  return spelt;
}

/// The part of a line around byte `at`, quoted, with … at cuts.
std::string shown(std::string_view line, std::size_t at) {
  std::size_t begin = at > kMostInCommon ? at - kMostInCommon : 0;
  begin = character_begin(line, begin);
  const std::size_t end = character_begin(line, begin + kMostShown);
  return std::string("'") + (begin > 0 ? "…" : "") + spelt_out(line.substr(begin, end - begin)) +
         (end < line.size() ? "…" : "") + "'";
}

std::string describe_line(std::string_view expected, std::string_view got) {
  const std::string_view wanted = without_newline(expected);
  const std::string_view line = without_newline(got);
  if (wanted == line) {
    return got.size() < expected.size() ? "there is no newline at its end"
                                        : "expected no newline at its end";
  }
  const auto [differs, unused] =
      std::mismatch(wanted.begin(), wanted.end(), line.begin(), line.end());
  const auto at = static_cast<std::size_t>(differs - wanted.begin());
  return "expected " + shown(wanted, at) + ", got " + shown(line, at);
}

}  // namespace

std::string first_difference(std::string_view expected, std::string_view output) {
  if (expected == output) return {};
  if (output.empty()) return "there is no output";
  std::size_t number = 1;
  while (!expected.empty() && !output.empty() && front_line(expected) == front_line(output)) {
    expected.remove_prefix(front_line(expected).size());
    output.remove_prefix(front_line(output).size());
    ++number;
  }
  if (output.empty()) return "output ends after line " + std::to_string(number - 1);
  const std::string line = "line " + std::to_string(number) + ": ";
  if (expected.empty()) {
    return line + "expected no more, got " + shown(without_newline(front_line(output)), 0);
  }
  return line + describe_line(front_line(expected), front_line(output));
}

}  // namespace unravel
