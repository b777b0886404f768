/// A trace of a kept run: as it was kept, or made once more.
#pragma once

#include <cstdint>

#include "cli/stored_run.hpp"
#include "data/trace.hpp"

namespace unravel {

/// Repeats the run with a trace and keeps that beside it; how many events it has.
Result<std::uint64_t> keep_trace(const OpenedRun& opened, Runner& runner,
                                 const TraceOptions& options);

/// All of it, from the first to the last event: the one that was kept, or a new one.
Result<Trace> trace_of(const OpenedRun& opened, Interruption& interruption);

}  // namespace unravel
