/// Arbitrary traces, as a run could have made them.
#pragma once

#include <vector>

#include "data/trace.hpp"
#include "generators.hpp"

namespace unravel {

/// Clocks count as they do in a run: from turn to turn.
inline std::vector<TraceEvent> any_trace(std::uint32_t sites) {
  std::vector<TraceEvent> events(any_below(200));
  std::vector<wire::Clock> clocks(4);
  std::uint32_t thread = 0;
  for (TraceEvent& event : events) {
    if (any_below(8) == 0) {
      thread = static_cast<std::uint32_t>(any_below(clocks.size()));
      if (any_below(4) == 0) clocks[thread].hooks = any_below(1000);
    }
    event.thread = thread;
    event.operation = any_operation();
    event.site = static_cast<std::uint32_t>(any_below(sites));
    wire::Clock& clock = clocks[thread];
    switch (wire::traits(event.operation).counts) {
      case wire::Counts::kHook: {
        ++clock.hooks;
        const bool sized =
            wire::is_access(event.operation) && event.operation != wire::Operation::kFree;
        if (sized) event.size = any_flag() ? std::uint64_t{1} << any_below(5) : any_number();
        if (wire::traces_object(event.operation)) event.object = any_number() % 4096;
        event.has_value = sized && any_flag();
        if (event.has_value) event.value = any_number();
        break;
      }
      case wire::Counts::kOperation:
        ++clock.operations;
        clock.hooks = 0;
        event.result = static_cast<wire::EventResult>(any_below(wire::kEventResultCount));
        event.object = any_number();
        event.has_value = true;
        event.value = any_number();
        break;
      case wire::Counts::kNothing:
        event.object = any_number();
        event.size = any_number();
        event.has_value = true;
        event.value = any_number();
        break;
    }
    event.clock = clock;
  }
  return events;
}

}  // namespace unravel
