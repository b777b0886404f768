/// Runs on recorded inputs under other schedules: for `simplify`, `isolate`, `check` and the
/// explanation of a failure.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "investigate/stored_run.hpp"
#include "run/pool.hpp"

namespace unravel {

/// The recorded inputs of a stored run for runs under other schedules; null if there are none that
/// can be used. Then a warning says why, unless nothing was recorded.
std::shared_ptr<const InputLog> inputs_by_stream(const OpenedRun& opened, Observer& observer);
std::shared_ptr<const InputLog> inputs_by_stream(std::shared_ptr<const InputLog> recorded,
                                                 Observer& observer);

/// Whether the run needs its record under other schedules: it got something from outside while its
/// threads ran. Files may still be as they were.
bool needs_record(const Run& kept, const InputLog* recorded);
bool needs_record(const OpenedRun& opened);

struct RunOnRecord {
  std::optional<Run> run;
  std::string why_not;  // if there is none: how the recorded schedule ended
};

/// Brings a recorded run about again in a pool whose inputs come by stream from its record. They
/// come at other moments than in the recorded run, so its schedule is followed as far as that is
/// possible. There is none if no run has the same outcome. The result has a schedule of its own,
/// whose strict replay in this pool gives the same again.
Result<RunOnRecord> run_on_record(Pool& pool, const Run& kept);

}  // namespace unravel
