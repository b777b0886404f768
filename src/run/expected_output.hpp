/// Compares expected with actual output.
#pragma once

#include <string>
#include <string_view>

namespace unravel {

/// The first line of `output` that differs, for one line of a report: "line 3: expected 'x', got
/// 'y'", or "output ends after line 7". Empty if all bytes are equal.
std::string first_difference(std::string_view expected, std::string_view output);

}  // namespace unravel
