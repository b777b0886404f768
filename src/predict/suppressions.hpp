/// Races that somebody knows of and does not want to see.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/frame.hpp"

namespace unravel {

/// From a file with a line for each: `function:GLOB`, `file:GLOB` or `variable:GLOB`; what begins
/// with # is a comment. In a GLOB, * stands for any text.
class Suppressions {
 public:
  /// `name` is that of the file, for errors.
  static Result<Suppressions> parse(std::string_view text, const std::string& name);

  /// Whether a frame of the stack, or the variable, is in the list.
  bool matches(const Stack& stack, std::string_view variable) const;

 private:
  std::vector<std::string> functions_;
  std::vector<std::string> files_;
  std::vector<std::string> variables_;
};

}  // namespace unravel
