/// The surroundings of a program at its start, other than files: variables, umask, limits.
///
/// Variables may hold passwords and keys. So an environment is stored in a file of its own that
/// only its owner can read, and its values are given only to new runs of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace unravel {

struct ResourceLimit {
  std::uint32_t resource = 0;  // RLIMIT_…
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;

  friend bool operator==(const ResourceLimit&, const ResourceLimit&) = default;
};

struct Environment {
  std::vector<std::string> variables;  // NAME=VALUE; their order affects the memory layout
  std::uint32_t umask = 022;
  std::vector<ResourceLimit> limits;

  friend bool operator==(const Environment&, const Environment&) = default;
};

std::vector<std::byte> encode(const Environment& environment);
Result<Environment> decode_environment(std::span<const std::byte> bytes);

/// Names of variables that only one has, or whose values differ; sorted.
std::vector<std::string> different_variables(const Environment& one, const Environment& other);

/// The environment without the values of all variables but those in `names`. Each of the others
/// becomes a blank: a variable that nobody asks for. Blanks take as much room as what they stand
/// for, so the program's stack stays where it was. They tell how many variables there were side by
/// side, and how long these were together.
Environment with_blanks(const Environment& environment, const std::vector<std::string>& names);

/// Whether the variable is a blank.
bool is_blank(std::string_view variable);

/// Makes the last blank longer by `bytes`, or shorter if that is negative. Returns false if there
/// is none, or if it is too short.
bool stretch_blank(Environment& environment, std::int64_t bytes);

}  // namespace unravel
