/// Checks whether stored failures are fixed in the current program: for `check`.
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
  std::vector<std::string> runs;  // if empty or with "all": all verified failures
  std::uint64_t neighbours = 200;
  std::string store;            // a directory
  std::string program;          // a file to use as the program of all; empty: at its own path
  bool trusts_program = false;  // start the programs and commands of packed runs
};

struct CheckReport {
  std::vector<Checked> all;
  std::vector<Finding> findings;  // failures that still occur
  std::optional<Error> trouble;   // the error that ended it; earlier results count
};

/// Calls `each` after every checked failure.
Result<CheckReport> check_kept(const CheckRequest& request,
                               const std::function<void(const Checked&)>& each, Observer& observer);

}  // namespace unravel
