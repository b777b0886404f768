/// Formats threads, clocks and names of settings for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wire/ids.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// `T1`; `P2.T1` in any process but the first.
std::string print(wire::ThreadId thread);

/// `12+37`, or `12` right after operation 12.
std::string print(wire::Clock clock);

/// `T1:12+37`.
std::string print(wire::ThreadId thread, wire::Clock clock);

/// Parses what print() writes for a thread of the first process and its clock, and nothing else.
std::optional<std::pair<wire::ThreadId, wire::Clock>> read_clock(std::string_view text);

std::string_view name(wire::PointSet points);
std::string_view name(wire::Timeouts timeouts);

/// Why a slice ended, as a word for the table: "preempted", "blocked", …
std::string_view name(wire::End end);

}  // namespace unravel
