/// What programs read about a failure that was looked into.
#pragma once

#include <string>

#include "data/explanation.hpp"

namespace unravel {

std::string simplification_json(const Simplification& simplified);

}  // namespace unravel
