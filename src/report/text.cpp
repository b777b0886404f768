#include "report/text.hpp"

#include <algorithm>

namespace unravel {

namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Length in bytes of the UTF-8 character at the front; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[i])) return 0;
  }
  return length;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 0x20 || first == 0x7f) return true;
  // U+0080 to U+009f are control characters too.
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

/// The byte at which column `column` begins.
std::size_t byte_of(std::string_view text, std::size_t column) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (continues(text[at])) continue;
    if (column == 0) break;
    --column;
  }
  return at;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string cleaned;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text.substr(at));
    const std::string_view character = text.substr(at, std::max<std::size_t>(length, 1));
    if (character == "\t" || character == "\n") {
      cleaned += ' ';
    } else if (length == 0 || is_control(character)) {
      cleaned += '?';
    } else {
      cleaned += character;
    }
    at += character.size();
  }
  return cleaned;
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

std::string cut(std::string_view text, std::size_t most) {
  if (width(text) <= most) return std::string(text);
  if (most == 0) return {};
  return std::string(text.substr(0, byte_of(text, most - 1))) + "…";
}

std::string pad(std::string_view text, std::size_t columns) {
  std::string padded(text);
  const std::size_t taken = width(text);
  if (taken < columns) padded.append(columns - taken, ' ');
  return padded;
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 1);
  std::vector<std::string> lines;
  while (width(text) > columns) {
    // The last space that lets what stands before it fit.
    const std::string_view fits = text.substr(0, byte_of(text, columns + 1));
    const std::size_t space = fits.rfind(' ');
    const bool at_space = space != fits.npos && space > 0;
    const std::size_t end = at_space ? space : byte_of(text, columns);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + (at_space ? 1 : 0));
  }
  if (!text.empty() || lines.empty()) lines.emplace_back(text);
  return lines;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " " + std::string(noun);
  if (count != 1) text += noun.ends_with("ch") || noun.ends_with("s") ? "es" : "s";
  return text;
}

std::string Paint::with(std::string_view code, std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

}  // namespace unravel
