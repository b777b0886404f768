/// A failure in one line.
#pragma once

#include <string>

#include "data/outcome.hpp"

namespace unravel {

/// `deadlock: T1→mutex 1→T2→mutex 2→T1`, `assertion failed in T0: balance == 2`.
std::string failure_title(const Failure& failure);

}  // namespace unravel
