/// Recorded inputs by stream, for runs under other schedules. wire/served.hpp has the form of the
/// tables that the runtime gets.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "data/input_log.hpp"

namespace unravel {

/// Whether the run of this log got its inputs by stream, so that its replays must, too.
bool is_served(const InputLog& log);

/// The same inputs for runs that get them by stream. Fails if the record does not say which stream
/// brought what, as those of earlier versions.
Result<std::shared_ptr<const InputLog>> as_served(std::shared_ptr<const InputLog> log);

/// The tables for the runtime, with the log behind them. The log must be one of as_served().
Result<std::vector<std::uint64_t>> served_words(const InputLog& log);

}  // namespace unravel
