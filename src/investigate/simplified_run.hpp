/// Simplifies a stored failure: for `simplify`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "investigate/run_name.hpp"
#include "investigate/simplification.hpp"

namespace unravel {

struct SimplifyRequest {
  RunName run;        // empty: the latest failure
  std::string store;  // a directory
  Effort effort;
  std::optional<std::uint64_t> jobs;
};

struct SimplifiedKept {
  SimplifiedRun simple;
  std::optional<Error> why_unkept;  // set if the simplified run could not be stored and has no id
};

Result<SimplifiedKept> simplify_kept(const SimplifyRequest& request, Observer& observer);

}  // namespace unravel
