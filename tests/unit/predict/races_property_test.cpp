/// What holds for the races of every trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "property/property.hpp"
#include "unit/predict/any_trace.hpp"
#include "unit/predict/race_check.hpp"
#include "unit/predict/reference.hpp"

namespace unravel {
namespace {

std::vector<TraceEvent> draw_trace() {
  const auto numbers = rc::gen::resize(800, rc::gen::arbitrary<std::vector<std::uint16_t>>());
  return any_trace(*numbers);
}

constexpr int kTracesPerCase = 12;

PROPERTY(RacesProperty, AreThoseByDefinition, ()) {
  for (int i = 0; i < kTracesPerCase; ++i) {
    const std::vector<TraceEvent> trace = draw_trace();

    RaceDetector detector;
    detector.take(trace);

    RC_ASSERT(pairs_of(detector.races()) == races_by_definition(trace));
  }
}

PROPERTY(RacesProperty, NameTwoAccessesOfTheTraceThatTouchTheAddress, ()) {
  const std::vector<TraceEvent> trace = draw_trace();

  RaceDetector detector;
  detector.take(trace);

  for (const Race& race : detector.races()) {
    RC_ASSERT(race.count > 0u);
    RC_ASSERT(race.earlier.event < race.later.event);
    for (const RacingAccess& side : {race.earlier, race.later}) {
      const TraceEvent& event = trace.at(side.event);
      RC_ASSERT(event.thread == side.thread);
      RC_ASSERT(event.site == side.site);
      if (event.operation == Operation::kFree) {
        RC_ASSERT(race.address >= event.object);
        RC_ASSERT(side.kind == AccessKind::kWrite);
      } else {
        RC_ASSERT(race.address - event.object < event.size);
        RC_ASSERT(side.kind == *access_kind(event));
      }
    }
    RC_ASSERT(conflict(race.earlier.kind, race.later.kind));
    RC_ASSERT(race.earlier.thread != race.later.thread);
  }
}

PROPERTY(RacesProperty, DoNotDependOnHowTheTraceIsCutIntoSpans, ()) {
  const std::vector<TraceEvent> trace = draw_trace();
  const auto length = *rc::gen::inRange<std::size_t>(1, 50);

  RaceDetector whole;
  whole.take(trace);
  RaceDetector cut;
  for (std::size_t i = 0; i < trace.size(); i += length) {
    cut.take(std::span(trace).subspan(i, std::min(length, trace.size() - i)));
  }

  RC_ASSERT(cut.races() == whole.races());
}

}  // namespace
}  // namespace unravel
