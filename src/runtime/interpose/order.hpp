/// Annotates a trace with order that neither operations nor hooks show. It counts in no clock.
#pragma once

#include "runtime/process/runtime.hpp"

namespace unravel {

inline void annotate_order(wire::Operation note, const volatile void* object, const void* site) {
  if (!current_thread || !recorder.on()) return;
  recorder.annotate(note, reinterpret_cast<std::uint64_t>(object), 0, 0, site);
}

/// What this thread has done so far happens before what other threads do after they observe the
/// object.
inline void publish(const volatile void* object, const void* site) {
  annotate_order(wire::Operation::kPublish, object, site);
}
inline void observe(const volatile void* object, const void* site) {
  annotate_order(wire::Operation::kObserve, object, site);
}

}  // namespace unravel
