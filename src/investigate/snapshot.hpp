/// Finds where every thread of a stored run was at one clock: for `query`.
#pragma once

#include <string>

#include "data/run.hpp"
#include "investigate/observer.hpp"
#include "wire/control.hpp"

namespace unravel {

/// Repeats the run and stops it there. `run` is an id, its first characters, or empty for the
/// latest failure.
Result<Snapshot> take_snapshot(const std::string& run, const std::string& store,
                               const wire::StopAt& at, Observer& observer);

}  // namespace unravel
