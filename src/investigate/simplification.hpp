/// A failing run made simple: for `simplify` and `hunt`.
#pragma once

#include <chrono>
#include <optional>

#include "data/explanation.hpp"
#include "investigate/allowance.hpp"
#include "investigate/observer.hpp"
#include "run/pool.hpp"
#include "simplify/simplifier.hpp"

namespace unravel {

/// How much may be spent on it.
struct Effort {
  bool usual = true;  // no more runs than are usually worth it
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> time;
  std::uint64_t suffix = 0;              // only the last so many slices are changed; 0: all
  const Allowance* allowance = nullptr;  // for more than this; null: no limit but these
};

struct SimplifiedRun {
  Run run;                  // replayed step by step, unless it was interrupted
  Simplification told;      // its ids are not known yet
  std::vector<Run> passed;  // the nearest runs that do not fail, the nearest last
};

/// `failing` must come out the same when it is followed strictly. The result has been replayed.
Result<SimplifiedRun> make_simple(Pool& pool, const Run& failing, const Effort& effort,
                                  Observer& observer);

/// Where a slice ended; its source is not known yet.
Place place_of(const wire::Slice& slice);

/// A variable without the parts that a primitive is made of, which are nobody's business.
std::string without_parts(const std::string& variable);

/// Fills in where threads of a run stood, by one run more in which they are held there.
Result<void> look_at(Pool& pool, const Run& run, const std::vector<Place*>& places);

/// Where each thread that was preempted stood.
Result<std::vector<Preemption>> preemptions_of(Pool& pool, const Run& run);

}  // namespace unravel
