/// Reads patterns that a user wrote down.
///
///     pattern inconsistent-read set     # a comment
///       t1 u1 write x
///       t2 u2 read  x
///       t2 u2 read  y
///       t1 u1 write y
///
/// A line of an event names its thread, its unit, what it does and the variable. After the name of
/// a pattern: `adjacent` if nothing comes between its events, `set` if its variables are one atomic
/// set.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "predict/pattern.hpp"

namespace unravel {

/// `source` names the text in errors.
Result<std::vector<Pattern>> parse_patterns(std::string_view text, std::string_view source);

}  // namespace unravel
