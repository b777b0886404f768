/// Suppressions: known races that the user does not want to see.
///
/// A text, one suppression per line:
///
///     # comment
///     function:GLOB    a race with this function in one of its two stacks
///     file:GLOB        ... with code of this file; a GLOB without `/` means the file's name only
///     variable:GLOB    a race on this variable
///
/// In a GLOB `*` matches any characters, or none; all other characters match themselves. It must
/// match the whole name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/frame.hpp"

namespace unravel {

class Suppressions {
 public:
  /// `source` names the text in errors.
  static Result<Suppressions> parse(std::string_view text, std::string_view source);

  /// Whether a race with these stacks is suppressed. `variable` is empty if its name is not known.
  [[nodiscard]] bool match(const Stack& one, const Stack& other, std::string_view variable) const;

  [[nodiscard]] bool empty() const { return globs_.empty(); }

 private:
  enum class Of { kFunction, kFile, kVariable };
  struct Glob {
    Of of;
    std::string pattern;
  };

  static Result<Glob> parse_line(std::string_view line, const std::string& place);
  static bool matches(const Glob& glob, const Frame& frame);

  std::vector<Glob> globs_;
};

/// Whether the pattern matches all of `text`.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace unravel
