/// The positions of the streams in the channel: each has all room up to the next.
#pragma once

#include "wire/control.hpp"

namespace unravel {

template <class T>
constexpr wire::Stream stream_between(std::uint64_t begin, std::uint64_t end) {
  return {.offset = begin, .capacity = (end - begin) / sizeof(T), .count = 0};
}

inline constexpr wire::Stream kSliceStream =
    stream_between<wire::Slice>(wire::Layout::kSlices, wire::Layout::kChoices);
inline constexpr wire::Stream kChoiceStream =
    stream_between<wire::Choice>(wire::Layout::kChoices, wire::Layout::kClockSwitches);
inline constexpr wire::Stream kClockSwitchStream =
    stream_between<wire::ClockSwitch>(wire::Layout::kClockSwitches, wire::Layout::kEvents);
inline constexpr wire::Stream kEventStream =
    stream_between<wire::Event>(wire::Layout::kEvents, wire::Layout::kPairs);
inline constexpr wire::Stream kTraceStream =
    stream_between<std::uint64_t>(wire::Layout::kTrace, wire::Layout::kDecisions);
inline constexpr wire::Stream kDecisionStream =
    stream_between<std::uint64_t>(wire::Layout::kDecisions, wire::Layout::kInputs);
inline constexpr wire::Stream kInputStream =
    stream_between<std::uint64_t>(wire::Layout::kInputs, wire::Layout::kSchedules);

}  // namespace unravel
