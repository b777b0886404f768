/// What holds for the possible conflicts of every trace.
#include <gtest/gtest.h>

#include <algorithm>

#include "predict/conflicts.hpp"
#include "predict/races.hpp"
#include "property/property.hpp"
#include "unit/predict/any_trace.hpp"

namespace unravel {
namespace {

PROPERTY(ConflictsProperty, ContainTheSitesOfEveryRace, ()) {
  const auto numbers = rc::gen::resize(800, rc::gen::arbitrary<std::vector<std::uint16_t>>());
  const std::vector<TraceEvent> trace = any_trace(*numbers);

  RaceDetector detector;
  detector.take(trace);
  ConflictFinder finder;
  finder.take(trace);

  const std::vector<std::uint32_t> sites = finder.sites();
  const auto contains = [&](std::uint32_t site) {
    return std::binary_search(sites.begin(), sites.end(), site);
  };
  for (const Race& race : detector.races()) {
    RC_ASSERT(contains(race.earlier.site));
    RC_ASSERT(contains(race.later.site));
  }
}

}  // namespace
}  // namespace unravel
