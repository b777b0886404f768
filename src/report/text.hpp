/// Report: runs and findings → bytes for a terminal or a program.
///
/// Knows values and how they read. Does not know stores, processes or where its bytes go.
///
/// This header: text that fits into a place on a screen, and colours.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Colours, or none. A paint is cheap to copy and goes wherever text is made.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }
  std::string red(std::string_view text) const { return with("1;31", text); }
  std::string green(std::string_view text) const { return with("32", text); }
  std::string yellow(std::string_view text) const { return with("33", text); }
  std::string cyan(std::string_view text) const { return with("36", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const;

  bool on_;
};

}  // namespace unravel
