/// The switch that decides between passing and failing, from a kept run: for `isolate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "investigate/narrowing.hpp"

namespace unravel {

struct IsolateRequest {
  std::string run;      // empty: the latest that failed
  std::string passing;  // empty: one is looked for
  std::string store;    // a directory
  std::uint64_t width = 1;
  std::uint64_t tests = 1000;
  bool others_fail = false;
  std::optional<std::uint64_t> jobs;
};

struct IsolatedRuns {
  NarrowedRuns narrowed;
  std::optional<Run> nearby;  // that fails, if the kept run passed
  std::vector<Run> unkept;    // that the store did not take
  std::optional<Error> why_unkept;
};

/// The two runs that are nearest to each other are kept. If `why_unkept` is set and nothing was
/// narrowed down, the nearby run could not be kept and there was nothing to go on with.
Result<IsolatedRuns> isolate_kept(const IsolateRequest& request, Observer& observer);

}  // namespace unravel
