/// Finds the thread and clock at which a run passes its Nth point.
///
/// A run can be stopped at a clock, and tells there how many points it has passed. So the run is
/// repeated with stops spread over it, and again with stops between the two that are nearest to N,
/// until none is left between them. The counts are the run's own, so nothing is estimated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "data/run.hpp"
#include "wire/control.hpp"

namespace unravel {

/// Repeats a run with these stops, and returns those that it reached. They are in the order in
/// which the run reaches them.
using CountAtStops =
    std::function<Result<std::vector<CountedStop>>(std::vector<wire::StopAt> stops)>;

/// Where a count was looked for, and what is next to it.
struct CountedPoint {
  std::optional<wire::StopAt> at;  // nothing: no thread can be stopped there
  // The nearest counts, if `at` is nothing and there are any.
  std::optional<std::uint64_t> before;
  std::optional<std::uint64_t> after;
};

/// One result for each count, in the same order. `schedule` is that of the run.
Result<std::vector<CountedPoint>> find_counted_points(std::span<const std::uint64_t> counts,
                                                      const Schedule& schedule,
                                                      const CountAtStops& count_at);

}  // namespace unravel
