#include "predict/contention.hpp"

#include <algorithm>

namespace unravel {

using wire::EventResult;
using wire::Operation;

std::optional<ContentionFinder::Part> ContentionFinder::part_of(const TraceEvent& event) {
  switch (event.operation) {
    case Operation::kAtomicLoad:
    case Operation::kReadLock:
    case Operation::kTryReadLock: return Part::kLooks;
    case Operation::kAtomicStore:
    case Operation::kAtomicUpdate:
    case Operation::kLock:
    case Operation::kTryLock:
    case Operation::kWriteLock:
    case Operation::kTryWriteLock:
    case Operation::kSpinLock:
    case Operation::kSpinTryLock:
    case Operation::kStreamLock:
    case Operation::kStreamTryLock:
    case Operation::kWait:
    case Operation::kSignal:
    case Operation::kBroadcast:
    case Operation::kSemWait:
    case Operation::kSemTryWait:
    case Operation::kSemPost:
    case Operation::kBarrierWait:
    case Operation::kOnce:
    case Operation::kFutexWait:
    case Operation::kFutexWake: return Part::kChanges;
    default: return std::nullopt;
  }
}

void ContentionFinder::take(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) take(event);
}

void ContentionFinder::take(const TraceEvent& event) {
  TracedThread& thread = threads_.get(event.thread);
  if (const auto part = part_of(event)) {
    meet(thread, event, *part);
    return;
  }
  const bool done = event.result == EventResult::kDone;
  switch (event.operation) {
    case Operation::kCreate:
      if (done) threads_.create(thread, static_cast<std::uint32_t>(event.object));
      break;
    case Operation::kExit: threads_.end(thread); break;
    case Operation::kJoin:
    case Operation::kTryJoin:
      if (done) threads_.join(thread, static_cast<std::uint32_t>(event.object));
      break;
    default: break;
  }
}

void ContentionFinder::meet(const TracedThread& thread, const TraceEvent& event, Part part) {
  std::vector<Met>& before = objects_[event.object];
  Met* own = nullptr;
  for (Met& other : before) {
    if (other.slot == thread.slot) {
      if (other.site == event.site && other.part == part) own = &other;
      continue;
    }
    if (other.epoch <= thread.clock.of(other.slot)) continue;
    if (part == Part::kLooks && other.part == Part::kLooks) continue;
    pairs_.add(other.site, event.site);
  }
  if (own) {
    own->epoch = thread.epoch;
    return;
  }
  if (before.size() == kMostMet) before.erase(before.begin());
  before.push_back({event.site, thread.slot, thread.epoch, part});
}

}  // namespace unravel
