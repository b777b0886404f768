/// Finds data races in a stored run or in new runs of a program: for `races`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/judging.hpp"
#include "data/program.hpp"
#include "data/race.hpp"
#include "data/run.hpp"
#include "investigate/observer.hpp"
#include "investigate/run_name.hpp"
#include "predict/suppressions.hpp"

namespace unravel {

struct RacesRequest {
  Judging judging;
  Suppressions suppressions;
  std::string store;        // a directory
  RunName run;              // a stored run; empty: the latest failure
  std::uint64_t runs = 10;  // number of runs of a program
  std::uint64_t seed = 1;
  std::string input;
};

struct RacesFound {
  RaceReport report;
  std::optional<Run> odd;        // the first run that did not pass or had a warning
  std::optional<Error> trouble;  // the error that ended the search; earlier races count
};

/// Both report every race to the observer.
Result<RacesFound> find_races_in_run(const RacesRequest& request, Observer& observer);
Result<RacesFound> find_races_in_program(const RacesRequest& request, const Program& program,
                                         Observer& observer);

}  // namespace unravel
