/// Finds the switch that decides between passing and failing, for a stored run: for `isolate`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "investigate/narrowing.hpp"
#include "investigate/run_name.hpp"

namespace unravel {

struct IsolateRequest {
  RunName run;          // empty: the latest failure
  std::string passing;  // empty: search for one
  std::string store;    // a directory
  std::uint64_t width = 1;
  std::uint64_t tests = 1000;
  bool others_fail = false;
  std::optional<std::uint64_t> jobs;
};

struct IsolatedRuns {
  NarrowedRuns narrowed;
  std::optional<Run> nearby;  // a failing run, if the stored run passed
  std::vector<Run> unkept;    // runs that could not be stored
  std::optional<Error> why_unkept;
};

/// Stores the failing and the passing run that differ least. If `why_unkept` is set and nothing was
/// narrowed down, the nearby run could not be stored, and the search ended there.
Result<IsolatedRuns> isolate_kept(const IsolateRequest& request, Observer& observer);

}  // namespace unravel
