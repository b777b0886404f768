/// Kept failures, tried on the program as it is now: for `check`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/checked.hpp"
#include "data/finding.hpp"
#include "investigate/observer.hpp"

namespace unravel {

struct CheckRequest {
  std::vector<std::string> runs;  // empty, or one of them "all": all verified failures
  std::uint64_t neighbours = 200;
  std::string store;  // a directory
};

struct CheckReport {
  std::vector<Checked> all;
  std::vector<Finding> findings;  // failures that are still there
  std::optional<Error> trouble;   // that ended it; what was seen before counts
};

/// `each` hears of every failure when it was tried.
Result<CheckReport> check_kept(const CheckRequest& request,
                               const std::function<void(const Checked&)>& each, Observer& observer);

}  // namespace unravel
