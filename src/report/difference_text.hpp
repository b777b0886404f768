/// The smallest difference between passing and failing, as text.
#pragma once

#include <string>

#include "data/explanation.hpp"
#include "report/text.hpp"

namespace unravel {

/// `1 of 3842577240 differences decides, found in 41 tests (12 to find the other run), 3.2 s`.
std::string difference_line(const SmallestDifference& difference);

/// The deciding switch: both places with their stacks, how far it can be moved, and how to replay
/// each side.
std::string difference_text(const SmallestDifference& difference, Paint paint);

}  // namespace unravel
