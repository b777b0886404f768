/// Whether a run repeated another and, if not, why. Pure: compares the results of two runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "data/checkup.hpp"
#include "data/run.hpp"

namespace unravel {

/// The first difference of `now` from `before`, whose schedule it followed strictly; nothing if all
/// is equal: events one by one, outcome, output, schedule. The stack is left empty. `seconds`: the
/// time between the two runs.
std::optional<Difference> first_difference(const Run& before, const Run& now, double seconds = 0);

/// Instructions near `offset` of an ELF file whose results differ from run to run: kTime for the
/// processor's counter, kRandom for its random numbers. Each at most once.
std::vector<Source> varying_instructions(std::span<const std::byte> bytes, std::uint64_t offset);

// The prefix of warnings about something uncontrolled in a run.
inline constexpr std::string_view kNotControlled = "not controlled: ";

// The text of the warning that runs are not sandboxed; the names of the files follow if they are
// known.
inline constexpr std::string_view kSeenByLaterRuns =
    "files that the program writes are seen by later runs";

/// Uncontrolled things that the program was seen to do.
std::vector<Concern> concerns_about_escapes(const Run& run);

}  // namespace unravel
