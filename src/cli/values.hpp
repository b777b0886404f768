/// Parsers for values of options.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/named_stop.hpp"
#include "run/runner.hpp"

namespace unravel {

/// "500ms", "10s", "2m", "1h"; a number alone is seconds.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// "65536", "64K", "16M", "1G"; errors mention `option`.
Result<std::uint64_t> parse_size(std::string_view option, std::string_view text,
                                 std::uint64_t most);

/// A 64-bit whole number of at least `least`; errors mention `option`.
Result<std::uint64_t> parse_number(std::string_view option, std::string_view text,
                                   std::uint64_t least);

/// "none" or an exit status from 1 to 255.
Result<std::optional<int>> parse_skip_status(std::string_view text);

/// The name of a signal, with or without SIG; 0 for "none". Signals that no program can handle are
/// rejected.
Result<int> parse_signal(std::string_view text);

/// "all" or a number of rows.
Result<std::size_t> parse_rows(std::string_view text);

/// `T1:12+37` or `T1:12`: a position in a run.
Result<wire::StopAt> parse_clock(std::string_view text);

/// The same, or the number of points that all threads have passed.
Result<NamedStop> parse_stop(std::string_view text);
Result<std::vector<NamedStop>> parse_stops(const std::vector<std::string>& texts);

/// "sync", "calls", "memory" or "auto".
Result<wire::PointSet> parse_points(std::string_view points);

/// "T1:3..T1:20": from one clock of a thread to a later one.
Result<TraceWindow> parse_window(std::string_view text);

/// An error for an unknown command; it suggests a known one.
Result<void> check_command(std::string_view name);

}  // namespace unravel
