/// Text as one line of limited width, and plurals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// Text from outside (arguments, sources, assertions, names) as one line that cannot mislead a
/// terminal or a person. Control characters, characters that change the direction of text or have
/// no width, and invalid UTF-8 become '?'; tabs and ends of lines become spaces.
std::string clean(std::string_view text);

/// The number of columns of a clean text; every character counts as one.
std::size_t width(std::string_view text);

/// Cuts the text to at most `most` columns, and marks the cut with ….
std::string cut(std::string_view text, std::size_t most);

/// Adds spaces on the right.
std::string pad(std::string_view text, std::size_t columns);

/// Lines of at most `columns`, broken at spaces if possible. Returns at least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

/// "1 switch", "3 switches".
std::string plural(std::uint64_t count, std::string_view noun);

/// The name that `name` probably misspells; empty if none is close.
std::string nearest(std::string_view name, std::span<const std::string> names);

}  // namespace unravel
