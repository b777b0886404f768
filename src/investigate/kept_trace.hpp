/// The trace of a stored run: read from the store, or made again.
#pragma once

#include <cstdint>
#include <optional>

#include "data/trace.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// What the trace records.
struct TraceRequest {
  bool values = false;                // the values that were read and written
  std::optional<TraceWindow> window;  // nothing: the whole run
};

/// Repeats the run with a trace and stores the trace. Returns the number of events.
Result<std::uint64_t> keep_trace(OpenedRun& opened, Runner& runner, const TraceRequest& options);

/// The stored trace or, if `may_run`, a new one of the whole run.
Result<Trace> trace_of(const OpenedRun& opened, bool may_run, Observer& observer);

}  // namespace unravel
