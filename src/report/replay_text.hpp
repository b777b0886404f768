/// A replay as text.
#pragma once

#include <string>

#include "data/replayed.hpp"
#include "report/text.hpp"

namespace unravel {

/// `unravel: run 3fa9c1 reproduced: the same steps, the same failure`, or how the replay differed.
/// One line if `quiet`.
std::string replayed_text(const Replayed& replayed, bool quiet, Paint paint);

}  // namespace unravel
