/// Text as one line that fits into a place on a screen, and words that agree with numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// Text from outside (arguments, sources, assertions, names) as one line that neither a terminal
/// nor a person misreads: control characters, those that change the direction of text or have no
/// width, and what is not UTF-8 become '?', tabs and ends of lines a space.
std::string clean(std::string_view text);

/// How many columns a clean text takes; every character counts as one.
std::size_t width(std::string_view text);

/// At most `most` columns, with … where something was cut off.
std::string cut(std::string_view text, std::size_t most);

/// Filled up with spaces on the right.
std::string pad(std::string_view text, std::size_t columns);

/// Lines of at most `columns`, broken at spaces where there are any. At least one.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

/// "1 switch", "3 switches".
std::string plural(std::uint64_t count, std::string_view noun);

/// The one of `names` that `name` is probably a misspelling of; empty if none is close.
std::string nearest(std::string_view name, std::span<const std::string> names);

}  // namespace unravel
