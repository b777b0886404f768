/// `--schedule S`: a schedule's string, or a file that holds one, as bytes or as a string.
#pragma once

#include <string>

#include "base/result.hpp"
#include "data/schedule.hpp"

namespace unravel {

Result<Schedule> read_schedule_argument(const std::string& argument);

/// How it is followed if nobody says: strictly if it is a whole run's.
wire::Following following_for(const Schedule& schedule);

}  // namespace unravel
