/// Traces: what a run did, event by event.
///
/// Only one thread runs at a time, so the order of the events is the order of the run. At level
/// `memory` every hook and every synchronisation operation is an event. Between them are notes (see
/// wire::Operation) about what orders threads and what memory is new.
#pragma once

#include <cstdint>
#include <vector>

#include "wire/event.hpp"
#include "wire/ids.hpp"
#include "wire/operation.hpp"
#include "wire/trace.hpp"

namespace unravel {

struct TraceEvent {
  std::uint32_t thread = 0;  // ordinal
  wire::Operation operation = wire::Operation::kNone;
  // kFailed for an atomic exchange: it found another value, and only read.
  wire::EventResult result = wire::EventResult::kDone;
  wire::MemoryOrder order = wire::MemoryOrder::kRelaxed;  // of atomic operations and fences
  bool has_value = false;
  std::uint32_t site = 0;    // index into the trace's sites
  std::uint64_t object = 0;  // an address; for create and join, a thread's ordinal
  std::uint64_t size = 0;    // bytes of an access or of new memory
  std::uint64_t value = 0;   // of memory; or the result of the operation
  wire::Clock clock;         // at a hook; after a synchronisation operation

  friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

struct Trace {
  std::vector<wire::Site> sites;  // [0] is "not known"
  std::vector<TraceEvent> events;

  friend bool operator==(const Trace&, const Trace&) = default;
};

}  // namespace unravel
