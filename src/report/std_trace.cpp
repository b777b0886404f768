#include "report/std_trace.hpp"

#include <fmt/format.h>

namespace unravel {

using wire::Effect;

void StdTrace::prepare(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) {
    const bool reads = wire::has_effect(event.operation, Effect::kAcquireShared);
    if (reads && event.result == wire::EventResult::kDone) {
      readers_[event.object].insert(event.thread);
    }
  }
}

std::string StdTrace::lines(std::span<const TraceEvent> events) {
  std::string out;
  for (const TraceEvent& event : events) {
    const bool done = event.result == wire::EventResult::kDone;
    const wire::OperationTraits& traits = wire::traits(event.operation);
    switch (traits.effect) {
      case Effect::kAcquire:
      case Effect::kAcquireShared:
      case Effect::kRelease:
        if (done) lock_lines(out, event);
        break;
      case Effect::kRead:
      case Effect::kWrite:
      case Effect::kUpdate: access_lines(out, event); break;
      case Effect::kReleaseToWait: {
        Held& held = held_[{event.object, event.thread}];
        held.given_up = held.depth;
        held.depth = 1;
        unlock(out, event);
        break;
      }
      case Effect::kCreate:
        if (done) line(out, event, fmt::format("fork(T{})", event.object));
        break;
      case Effect::kJoin:
        if (done) line(out, event, fmt::format("join(T{})", event.object));
        break;
      case Effect::kPost:
      case Effect::kTakeUnit:
      case Effect::kOnce:
      case Effect::kPublish:
      case Effect::kObserve:
        if (done) pass(out, event, "S" + lock_name(event.object));
        break;
      case Effect::kArrive: pass(out, event, "S" + lock_name(event.object)); break;
      case Effect::kWoke: {
        const std::string lock = fmt::format("W{}", wakes_++);
        TraceEvent woken = event;
        woken.thread = static_cast<std::uint32_t>(event.value);
        pass(out, event, lock);
        pass(out, woken, lock);
        break;
      }
      case Effect::kAllocate:
      case Effect::kFresh:
        forget(event.object, event.size);
        blocks_[event.object] = event.size;
        break;
      case Effect::kFree:
        if (const auto block = blocks_.find(event.object); block != blocks_.end()) {
          forget(event.object, block->second);
          blocks_.erase(block);
        }
        break;
      default: break;
    }
  }
  return out;
}

void StdTrace::lock_lines(std::string& out, const TraceEvent& event) {
  const wire::OperationTraits& traits = wire::traits(event.operation);
  const bool releases = traits.effect == Effect::kRelease;
  if (traits.object != wire::ObjectKind::kReadWriteLock) {
    releases ? unlock(out, event) : lock(out, event);
  } else if (releases) {
    read_write_unlock(out, event);
  } else {
    read_write_lock(out, event, traits.effect == Effect::kAcquire);
  }
}

/// Every atomic access gets its own critical section.
void StdTrace::access_lines(std::string& out, const TraceEvent& event) {
  const wire::OperationTraits& traits = wire::traits(event.operation);
  const bool reads = traits.effect != Effect::kWrite;
  const bool writes = traits.effect == Effect::kWrite || traits.effect == Effect::kUpdate;
  const bool done = event.result == wire::EventResult::kDone;
  const std::string lock = traits.is_atomic ? "A" + lock_name(event.object) : "";
  if (traits.is_atomic) take(out, event, lock);
  if (reads) access(out, event, 'r');
  if (writes && (done || !traits.is_atomic)) access(out, event, 'w');
  if (traits.is_atomic) give(out, event, lock);
}

void StdTrace::line(std::string& out, const TraceEvent& event, const std::string& what) const {
  fmt::format_to(std::back_inserter(out), "T{}|{}|{}\n", event.thread, what, event.site);
}

void StdTrace::take(std::string& out, const TraceEvent& event, const std::string& lock) const {
  line(out, event, "acq(" + lock + ")");
}

void StdTrace::give(std::string& out, const TraceEvent& event, const std::string& lock) const {
  line(out, event, "rel(" + lock + ")");
}

void StdTrace::pass(std::string& out, const TraceEvent& event, const std::string& lock) const {
  take(out, event, lock);
  give(out, event, lock);
}

void StdTrace::access(std::string& out, const TraceEvent& event, char kind) {
  line(out, event, fmt::format("{}({})", kind, variable_name(event.object)));
}

void StdTrace::lock(std::string& out, const TraceEvent& event) {
  Held& held = held_[{event.object, event.thread}];
  const bool is_first = held.depth == 0;
  held.depth += 1;
  if (held.given_up) {  // the lock after a wait
    held.depth = held.given_up;
    held.given_up = 0;
  }
  if (is_first) take(out, event, lock_name(event.object));
}

void StdTrace::unlock(std::string& out, const TraceEvent& event) {
  Held& held = held_[{event.object, event.thread}];
  if (held.depth == 0) return;  // it was acquired before the trace began
  if (--held.depth == 0) give(out, event, lock_name(event.object));
}

void StdTrace::read_write_lock(std::string& out, const TraceEvent& event, bool writes) {
  Held& held = held_[{event.object, event.thread}];
  held.writes = writes;
  if (held.depth++ > 0) return;
  const std::string name = lock_name(event.object);
  if (!writes) return take(out, event, fmt::format("{}r{}", name, event.thread));
  take(out, event, name);
  for (const std::uint32_t reader : readers_[event.object]) {
    take(out, event, fmt::format("{}r{}", name, reader));
  }
}

void StdTrace::read_write_unlock(std::string& out, const TraceEvent& event) {
  Held& held = held_[{event.object, event.thread}];
  if (held.depth == 0 || --held.depth > 0) return;
  const std::string name = lock_name(event.object);
  if (!held.writes) return give(out, event, fmt::format("{}r{}", name, event.thread));
  for (const std::uint32_t reader : readers_[event.object]) {
    give(out, event, fmt::format("{}r{}", name, reader));
  }
  give(out, event, name);
}

std::string StdTrace::lock_name(std::uint64_t object) {
  return "L" + std::to_string(locks_.try_emplace(object, locks_.size()).first->second);
}

std::string StdTrace::variable_name(std::uint64_t address) {
  const auto [found, is_new] = variables_.try_emplace(address, next_variable_);
  if (is_new) ++next_variable_;
  return "V" + std::to_string(found->second);
}

void StdTrace::forget(std::uint64_t address, std::uint64_t size) {
  variables_.erase(variables_.lower_bound(address), variables_.lower_bound(address + size));
}

}  // namespace unravel
