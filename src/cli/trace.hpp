/// A trace of a kept run: as it was kept, or made once more.
#pragma once

#include <cstdint>

#include "cli/stored_run.hpp"
#include "data/trace.hpp"

namespace unravel {

/// Repeats the run with a trace and keeps that beside it; how many events it has.
Result<std::uint64_t> keep_trace(OpenedRun& opened, Runner& runner, const TraceOptions& options);

/// All of it, from the first to the last event: the one that was kept, or, if the program may be
/// run for it, a new one.
Result<Trace> trace_of(const OpenedRun& opened, bool may_run, Interruption& interruption);

}  // namespace unravel
