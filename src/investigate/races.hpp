/// Data races, in a kept run or in new runs of a program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/judging.hpp"
#include "data/program.hpp"
#include "data/race.hpp"
#include "data/run.hpp"
#include "investigate/observer.hpp"
#include "predict/suppressions.hpp"

namespace unravel {

struct RacesRequest {
  Judging judging;
  Suppressions suppressions;
  std::string store;        // a directory
  std::string run;          // that is kept; empty: the latest that failed
  std::uint64_t runs = 10;  // of a program
  std::uint64_t seed = 1;
  std::string input;
};

struct RacesFound {
  RaceReport report;
  std::optional<Run> odd;        // the first run that did not pass, or gave a warning
  std::optional<Error> trouble;  // that ended the search; what was found before it counts
};

/// Both tell the observer of every race.
Result<RacesFound> find_races_in_run(const RacesRequest& request, Observer& observer);
Result<RacesFound> find_races_in_program(const RacesRequest& request, const Program& program,
                                         Observer& observer);

}  // namespace unravel
