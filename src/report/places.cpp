#include "report/places.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "report/text.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

// Longer template arguments are replaced by …. Chosen by hand.
constexpr std::size_t kLongestArguments = 16;

std::string hexadecimal(std::uint64_t value) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + digits;
}

/// Where the bracket that opens at `open` closes; npos if it does not.
std::size_t closing(std::string_view text, std::size_t open, char opens, char closes) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    // The > of an arrow is not a bracket.
    if (text[at] == '-' && at + 1 < text.size() && text[at + 1] == '>') {
      ++at;
    } else if (text[at] == opens) {
      ++depth;
    } else if (text[at] == closes && --depth == 0) {
      return at;
    }
  }
  return text.npos;
}

/// Anonymous namespaces do not help to find a name.
std::string without_anonymous(std::string_view function) {
  constexpr std::string_view kScope = "(anonymous namespace)::";
  std::string text(function);
  for (std::size_t at = 0; (at = text.find(kScope, at)) != text.npos;)
    text.erase(at, kScope.size());
  return text;
}

/// The parameter list starts at the first parenthesis that is not part of `operator()`.
std::string_view without_parameters(std::string_view function) {
  std::size_t at = 0;
  while ((at = function.find('(', at)) != function.npos) {
    const std::string_view before = function.substr(0, at);
    if (!before.ends_with("operator") || before.size() + 2 >= function.size()) return before;
    at += 2;
  }
  return function;
}

/// Empties the parameter lists of functions; other parentheses stay.
std::string without_parameter_names(std::string_view text) {
  std::string shorter;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool behind_name = at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) ||
                                        text[at - 1] == '_' || text[at - 1] == '>');
    shorter += text[at];
    if (text[at] != '(' || !behind_name) continue;
    const std::size_t end = closing(text, at, '(', ')');
    if (end == text.npos) continue;
    shorter += ')';
    at = end;
  }
  return shorter;
}

std::string with_short_arguments(std::string_view function) {
  std::string text;
  for (std::size_t at = 0; at < function.size(); ++at) {
    text += function[at];
    const bool opens = function[at] == '<' && !std::string_view(text).ends_with("operator<") &&
                       !std::string_view(text).ends_with("operator<<");
    if (!opens) continue;
    const std::size_t end = closing(function, at, '<', '>');
    if (end == function.npos || end - at <= kLongestArguments) continue;
    text += "…>";
    at = end;
  }
  return text;
}

}  // namespace

std::string short_function(std::string_view function) {
  if (function.empty()) return {};
  return clean(with_short_arguments(without_parameters(without_anonymous(function)))) + "()";
}

std::string short_variable(std::string_view variable) {
  return clean(with_short_arguments(without_parameter_names(without_anonymous(variable))));
}

std::string short_location(const Frame& frame) {
  if (frame.file.empty()) {
    const std::string module = frame.module.empty() ? "?" : fs::path(frame.module).filename();
    return clean(module) + "+" + hexadecimal(frame.offset);
  }
  const std::string file = clean(fs::path(frame.file).filename().string());
  return frame.line == 0 ? file : file + ":" + std::to_string(frame.line);
}

std::string short_place(const Frame& frame) {
  const std::string function = short_function(frame.function);
  return function.empty() ? short_location(frame) : short_location(frame) + " " + function;
}

std::string fit_place(const Frame& frame, std::size_t columns) {
  const std::string place = short_place(frame);
  if (width(place) <= columns) return place;
  const std::string location = short_location(frame);
  const std::size_t taken = width(location);
  // A few letters of the function help; the line number must stay. Chosen by hand.
  constexpr std::size_t kSomeLetters = 6;
  if (taken + kSomeLetters <= columns) return cut(place, columns);
  if (taken <= columns) return location;
  const std::size_t colon = std::min(location.rfind(':'), location.size());
  const std::string line = location.substr(colon);
  return cut(location.substr(0, colon), columns - std::min(columns, width(line))) + line;
}

std::string long_place(const Frame& frame) {
  const std::string function =
      frame.function.empty() ? std::string("?") : short_function(frame.function);
  if (frame.file.empty()) return function + "  " + short_location(frame);
  const std::string line = frame.line == 0 ? "" : ":" + std::to_string(frame.line);
  return function + "  " + clean(frame.file) + line;
}

}  // namespace unravel
