#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace unravel {

namespace {

/// The number of insertions, deletions and replacements between two words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

struct Character {
  std::size_t bytes = 0;  // 0: not valid UTF-8
  char32_t value = 0;
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xc2 && first < 0xe0   ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t value = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i])) return {};
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  // Overlong encodings, surrogates, and values above the last code point.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_half = value >= 0xd800 && value < 0xe000;
  if (value < kLeast[bytes] || is_half || value > 0x10ffff) return {};
  return {bytes, value};
}

/// Whether a character moves the cursor, hides text or reverses it, so that a reader sees something
/// else.
bool misleads(char32_t value) {
  const auto is_in = [value](char32_t first, char32_t last) {
    return value >= first && value <= last;
  };
  return is_in(0, 0x1f) || is_in(0x7f, 0x9f) ||             // control characters
         value == 0x61c || is_in(0x200b, 0x200f) ||         // marks of direction, no width
         is_in(0x2028, 0x202e) || is_in(0x2060, 0x2069) ||  // lines, overrides, isolates
         value == 0xfeff || is_in(0xfff9, 0xfffb) || is_in(0xe0000, 0xe007f);  // tags
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
    const Character character = first_character(text.substr(at));
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    if (character.value == '\t' || character.value == '\n') {
      cleaned += ' ';
    } else if (character.bytes == 0 || misleads(character.value)) {
      cleaned += '?';
    } else {
      cleaned += text.substr(at, bytes);
    }
    at += bytes;
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
    // The last space before which the text still fits.
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

std::string nearest(std::string_view name, std::span<const std::string> names) {
  // Two exchanged letters are two edits; a larger distance is not a typing error.
  std::size_t least = 1 + std::max<std::size_t>(2, name.size() / 3);
  std::string guess;
  for (const std::string& known : names) {
    const std::size_t distance = edit_distance(name, known);
    if (distance < least) {
      least = distance;
      guess = known;
    }
  }
  return guess;
}

}  // namespace unravel
