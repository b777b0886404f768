/// The JSON of an explanation: the simplified run and the switch that decides.
#pragma once

#include <string>

#include "data/explanation.hpp"
#include "report/json_parts.hpp"

namespace unravel {

Json to_json(const Simplification& simplified);
Json to_json(const SmallestDifference& difference);

std::string simplification_json(const Simplification& simplified);
std::string difference_json(const SmallestDifference& difference);

}  // namespace unravel
