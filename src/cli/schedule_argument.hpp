/// `--schedule S`: the string of a schedule, or a file that contains a schedule as bytes or string.
#pragma once

#include <string>

#include "base/result.hpp"
#include "data/schedule.hpp"

namespace unravel {

Result<Schedule> read_schedule_argument(const std::string& argument);

}  // namespace unravel
