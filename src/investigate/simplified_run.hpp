/// A kept failure, made as simple as it can be: for `simplify`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "investigate/simplification.hpp"

namespace unravel {

struct SimplifyRequest {
  std::string run;    // empty: the latest that failed
  std::string store;  // a directory
  Effort effort;
  std::optional<std::uint64_t> jobs;
};

struct SimplifiedKept {
  SimplifiedRun simple;
  std::optional<Error> why_unkept;  // the store did not take the simplest run, which has no id then
};

Result<SimplifiedKept> simplify_kept(const SimplifyRequest& request, Observer& observer);

}  // namespace unravel
