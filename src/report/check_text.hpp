/// What `unravel check` says: a line for each run, and one about all of them.
#pragma once

#include <string>
#include <vector>

#include "data/checked.hpp"
#include "report/text.hpp"

namespace unravel {

std::string check_line(const Checked& checked, const Paint& paint);
std::string check_summary(const std::vector<Checked>& all);

}  // namespace unravel
