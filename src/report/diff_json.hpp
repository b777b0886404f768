/// The JSON of `diff`.
#pragma once

#include <string>

#include "report/step_diff.hpp"

namespace unravel {

std::string diff_json(const Run& left, const Run& right, const StepDiff& diff);

}  // namespace unravel
