/// Threads, clocks and names of settings as people write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/ids.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// `T1`; `P2.T1` in any process but the first.
std::string print(wire::ThreadId thread);

/// `12+37`, or `12` right after operation 12.
std::string print(wire::Clock clock);

/// `T1:12+37`.
std::string print(wire::ThreadId thread, wire::Clock clock);

std::string_view name(wire::PointSet points);
std::string_view name(wire::RuleKind rule);
std::string_view name(wire::Timeouts timeouts);

/// Why a slice ended, as a word for the table: "preempted", "blocked", …
std::string_view name(wire::End end);

}  // namespace unravel
