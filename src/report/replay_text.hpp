/// A replay in words.
#pragma once

#include <string>

#include "data/replayed.hpp"
#include "report/text.hpp"

namespace unravel {

/// `unravel: run 3fa9c1 reproduced: the same steps, the same failure`, or how it differed. In one
/// line if `quiet`.
std::string replayed_text(const Replayed& replayed, bool quiet, Paint paint);

}  // namespace unravel
