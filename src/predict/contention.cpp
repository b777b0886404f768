#include "predict/contention.hpp"

#include <algorithm>

namespace unravel {

using wire::Effect;
using wire::EventResult;

void ContentionFinder::take(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) take(event);
}

void ContentionFinder::take(const TraceEvent& event) {
  TracedThread& thread = threads_.get(event.thread);
  if (wire::contends(event.operation)) {
    meet(thread, event);
    return;
  }
  const bool done = event.result == EventResult::kDone;
  switch (wire::traits(event.operation).effect) {
    case Effect::kCreate:
      if (done) threads_.create(thread, static_cast<std::uint32_t>(event.object));
      break;
    case Effect::kEnd: threads_.end(thread); break;
    case Effect::kJoin:
      if (done) threads_.join(thread, static_cast<std::uint32_t>(event.object));
      break;
    default: break;
  }
}

void ContentionFinder::meet(const TracedThread& thread, const TraceEvent& event) {
  std::vector<Met>& before = objects_[event.object];
  Met* own = nullptr;
  for (Met& other : before) {
    if (other.slot == thread.slot) {
      if (other.site == event.site && other.operation == event.operation) own = &other;
      continue;
    }
    if (other.epoch <= thread.clock.of(other.slot)) continue;
    if (wire::commute(other.operation, event.operation)) continue;
    pairs_.add(other.site, event.site, event.object);
  }
  if (own) {
    own->epoch = thread.epoch;
    return;
  }
  if (before.size() == kMostMet) before.erase(before.begin());
  before.push_back({event.site, thread.slot, thread.epoch, event.operation});
}

}  // namespace unravel
