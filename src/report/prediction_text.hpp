/// Predicted anomalies as text.
#pragma once

#include <string>

#include "data/prediction.hpp"
#include "report/text.hpp"

namespace unravel {

/// `predicted 5, confirmed 3 (1 looks benign), refuted 1 ... in 12 runs`.
std::string prediction_line(const PredictionReport& report);

/// The anomalies that matter, each with its pattern, its events and their stacks, its clip, what it
/// led to, and how to replay it. `all`: the others, too, a line each.
std::string prediction_text(const PredictionReport& report, bool all, std::size_t columns,
                            Paint paint);

}  // namespace unravel
