/// Does a failure depend on the order of threads at all?
#pragma once

#include "data/explanation.hpp"
#include "investigate/allowance.hpp"
#include "run/pool.hpp"

namespace unravel {

/// Tries schedules that have nothing to do with the one that failed, until one of them ends
/// otherwise. A failure that comes under each of them is not one that a schedule explains.
Result<OrderCheck> check_order(Pool& pool, const Run& failing, const Allowance& allowance);

}  // namespace unravel
