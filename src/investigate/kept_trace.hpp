/// A trace of a kept run: as it was kept, or made once more.
#pragma once

#include <cstdint>
#include <optional>

#include "data/trace.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// What is recorded of every memory access.
struct TraceRequest {
  bool values = false;                // what was read and written
  std::optional<TraceWindow> window;  // nothing: all of the run
};

/// Repeats the run with a trace and keeps that beside it; how many events it has.
Result<std::uint64_t> keep_trace(OpenedRun& opened, Runner& runner, const TraceRequest& options);

/// All of it, from the first to the last event: the one that was kept, or, if the program may be
/// run for it, a new one.
Result<Trace> trace_of(const OpenedRun& opened, bool may_run, Observer& observer);

}  // namespace unravel
