/// Predicted anomalies as JSON.
#pragma once

#include <string>

#include "data/prediction.hpp"

namespace unravel {

std::string prediction_json(const PredictionReport& report);

}  // namespace unravel
