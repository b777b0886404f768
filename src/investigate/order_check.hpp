/// Checks whether a failure depends on the order of threads at all.
#pragma once

#include "data/explanation.hpp"
#include "investigate/allowance.hpp"
#include "run/pool.hpp"

namespace unravel {

/// Tries unrelated schedules until one of them ends differently. If all of them show the failure,
/// no schedule explains it.
Result<OrderCheck> check_order(Pool& pool, const Run& failing, const Allowance& allowance);

}  // namespace unravel
