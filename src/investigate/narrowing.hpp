/// What decides between passing and failing: for `isolate` and `hunt`.
#pragma once

#include <optional>
#include <vector>

#include "data/explanation.hpp"
#include "investigate/allowance.hpp"
#include "investigate/observer.hpp"
#include "run/pool.hpp"

namespace unravel {

/// How it is gone about.
struct Narrowing {
  std::vector<Run> passing;    // the nearest of these is taken; empty: one is looked for
  bool must_take = false;      // one of them, even if it differs in nothing, which is an error
  double first_width = 1;      // of that search, in points
  std::uint64_t tests = 1000;  // at most, for the search and for narrowing each
  bool others_fail = false;    // other failures are failures too
  const Allowance* allowance = nullptr;  // for more than this; null: no limit but these
};

struct NarrowedRuns {
  SmallestDifference told;  // its ids are not known yet
  Run failing;
  std::optional<Run> passing;  // nothing: none was found
};

/// `failing` and the passing ones are runs as they were realised, with their clock form.
Result<NarrowedRuns> narrow_down(Pool& pool, const Run& failing, const Narrowing& narrowing,
                                 Observer& observer);

}  // namespace unravel
