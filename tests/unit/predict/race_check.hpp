/// Which pairs of sites race in a trace written down by hand.
#pragma once

#include <algorithm>

#include "predict/races.hpp"
#include "unit/predict/trace_builder.hpp"

namespace unravel {

inline constexpr std::uint64_t kX = 0x1000;  // variables that are not atomic
inline constexpr std::uint64_t kY = 0x1100;
inline constexpr std::uint64_t kFlag = 0x2000;  // one that is
inline constexpr std::uint64_t kMutex = 0x3000;
inline constexpr std::uint64_t kOther = 0x3100;

inline RacingSites pairs_of(const std::vector<Race>& races) {
  RacingSites found;
  for (const Race& race : races) found.insert(std::minmax({race.earlier.site, race.later.site}));
  return found;
}

inline RacingSites races_of(const TraceBuilder& trace) {
  RaceDetector detector;
  detector.take(trace.events);
  return pairs_of(detector.races());
}

inline const RacingSites kNoRace;
inline const RacingSites kOneAndTwo = {{1, 2}};

}  // namespace unravel
