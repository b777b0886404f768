/// The clip of an anomaly as text: a table of what threads did around its events.
#pragma once

#include <string>
#include <vector>

#include "data/anomaly.hpp"
#include "report/text.hpp"

namespace unravel {

/// One column per thread; the events of the anomaly are marked. Empty if there are no rows.
std::string clip_text(const std::vector<ClipRow>& clip, std::size_t columns, Paint paint);

}  // namespace unravel
