/// Did a run repeat another, and if not, why? Pure: compares what two runs left.
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

/// The first thing in which `now` is not `before`, whose schedule it followed strictly; nothing if
/// it repeated all of it: events one by one, outcome, output, schedule. Its stack is left empty.
/// `seconds`: that passed between them.
std::optional<Difference> first_difference(const Run& before, const Run& now, double seconds = 0);

/// Instructions close to `offset` of an ELF file whose answers differ from run to run: kTime for
/// the processor's counter, kRandom for its random numbers. Each at most once.
std::vector<Source> varying_instructions(std::span<const std::byte> bytes, std::uint64_t offset);

// How a warning begins that says what of a run was seen not to be controlled.
inline constexpr std::string_view kNotControlled = "not controlled: ";

// How a warning says that runs are not sandboxed; the names of the files follow where they are
// known.
inline constexpr std::string_view kSeenByLaterRuns =
    "files that the program writes are seen by later runs";

/// What the program was seen to do that is not controlled.
std::vector<Concern> concerns_about_escapes(const Run& run);

}  // namespace unravel
