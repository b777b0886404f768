#include "data/prediction.hpp"

#include <algorithm>

namespace unravel {

bool PredictionReport::found_any() const {
  return !failures.empty() || std::any_of(anomalies.begin(), anomalies.end(),
                                          [](const FoundAnomaly& one) { return one.matters(); });
}

}  // namespace unravel
