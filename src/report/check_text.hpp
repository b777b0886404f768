/// The output of `unravel check`: a line for each run, and a summary.
#pragma once

#include <string>
#include <vector>

#include "data/checked.hpp"
#include "report/text.hpp"

namespace unravel {

std::string check_line(const Checked& checked, const Paint& paint);
std::string check_summary(const std::vector<Checked>& all);

}  // namespace unravel
