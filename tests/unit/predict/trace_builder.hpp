/// Traces written down by hand, for tests: a call per event, sites given as numbers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "data/trace.hpp"

namespace unravel {

using wire::EventResult;
using wire::MemoryOrder;
using wire::Operation;

class TraceBuilder {
 public:
  TraceEvent& add(std::uint32_t thread, Operation operation, std::uint64_t object = 0,
                  std::uint64_t value = 0) {
    TraceEvent event;
    event.thread = thread;
    event.operation = operation;
    event.object = object;
    event.value = value;
    event.clock.operations = events.size();
    return events.emplace_back(event);
  }

  void load(std::uint32_t thread, std::uint64_t address, std::uint32_t site,
            std::uint64_t size = 4) {
    access(thread, Operation::kLoad, address, site, size);
  }
  void store(std::uint32_t thread, std::uint64_t address, std::uint32_t site,
             std::uint64_t size = 4) {
    access(thread, Operation::kStore, address, site, size);
  }
  TraceEvent& atomic(std::uint32_t thread, Operation operation, std::uint64_t address,
                     MemoryOrder order, std::uint32_t site = 0, std::uint64_t size = 4) {
    TraceEvent& event = access(thread, operation, address, site, size);
    event.order = order;
    return event;
  }
  void fence(std::uint32_t thread, MemoryOrder order) {
    add(thread, Operation::kFence).order = order;
  }
  void memory(std::uint32_t thread, Operation operation, std::uint64_t address,
              std::uint64_t size = 0, std::uint32_t site = 0) {
    access(thread, operation, address, site, size);
  }

  /// Main makes threads 1 to `last`, which begin.
  void create_up_to(std::uint32_t last) {
    for (std::uint32_t thread = 1; thread <= last; ++thread) {
      add(0, Operation::kCreate, thread);
      add(thread, Operation::kStart);
    }
  }

  std::vector<TraceEvent> events;

 private:
  TraceEvent& access(std::uint32_t thread, Operation operation, std::uint64_t address,
                     std::uint32_t site, std::uint64_t size) {
    TraceEvent& event = add(thread, operation, address);
    event.site = site;
    event.size = size;
    return event;
  }
};

/// As a run counts: hooks since the thread's last operation.
inline void set_clocks(std::vector<TraceEvent>& events) {
  std::map<std::uint32_t, wire::Clock> clocks;
  for (TraceEvent& event : events) {
    wire::Clock& clock = clocks[event.thread];
    switch (wire::traits(event.operation).counts) {
      case wire::Counts::kOperation: clock = {clock.operations + 1, 0}; break;
      case wire::Counts::kHook: ++clock.hooks; break;
      case wire::Counts::kNothing: break;
    }
    event.clock = clock;
  }
}

/// Of two sites the smaller comes first.
using RacingSites = std::set<std::pair<std::uint32_t, std::uint32_t>>;

}  // namespace unravel
