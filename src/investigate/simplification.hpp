/// Reduces the switches of a failing run: for `simplify` and `hunt`.
#pragma once

#include <chrono>
#include <optional>

#include "data/explanation.hpp"
#include "investigate/allowance.hpp"
#include "investigate/observer.hpp"
#include "run/pool.hpp"
#include "simplify/simplifier.hpp"

namespace unravel {

/// The limits of a simplification.
struct Effort {
  bool usual = true;  // stop after the default number of runs
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> time;
  std::uint64_t suffix = 0;              // change only this many slices at the end; 0: all
  const Allowance* allowance = nullptr;  // shared with other steps; null: no further limit
};

struct SimplifiedRun {
  Run run;                  // verified, unless it was interrupted
  Simplification told;      // without the ids of the runs
  std::vector<Run> passed;  // passing runs near the result, the nearest last
};

/// A strict replay must reproduce `failing`. The result has been replayed, too.
Result<SimplifiedRun> make_simple(Pool& pool, const Run& failing, const Effort& effort,
                                  Observer& observer);

/// The place where a slice ended, without its source.
Place place_of(const wire::Slice& slice);

/// The name of a variable without internal members of a primitive, such as `.__data`.
std::string without_parts(const std::string& variable);

/// Fills in the stacks and variables of places, by one more run that stops at each of them.
Result<void> probe_places(Pool& pool, const Run& run, const std::vector<Place*>& places);

/// The place of every preemption.
Result<std::vector<Preemption>> preemptions_of(Pool& pool, const Run& run);

}  // namespace unravel
