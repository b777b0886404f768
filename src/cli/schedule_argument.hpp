/// `--schedule S`: a schedule's string, or a file that holds one, as bytes or as a string.
#pragma once

#include <string>

#include "base/result.hpp"
#include "data/schedule.hpp"

namespace unravel {

Result<Schedule> read_schedule_argument(const std::string& argument);

}  // namespace unravel
