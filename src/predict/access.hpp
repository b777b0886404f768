/// An access to memory, as far as others can be in conflict with it.
#pragma once

#include <cstdint>
#include <optional>

#include "data/trace.hpp"

namespace unravel {

/// Two bits: whether it writes, whether it is atomic.
enum class AccessKind : std::uint8_t {
  kRead = 0,
  kWrite = 1,
  kAtomicRead = 2,
  kAtomicWrite = 3,
};

constexpr bool writes(AccessKind kind) { return (static_cast<unsigned>(kind) & 1u) != 0; }
constexpr bool is_atomic(AccessKind kind) { return (static_cast<unsigned>(kind) & 2u) != 0; }

/// Whether two accesses to the same byte are a race if nothing orders them.
constexpr bool conflict(AccessKind one, AccessKind other) {
  return (writes(one) || writes(other)) && !(is_atomic(one) && is_atomic(other));
}

/// The kind of an event that names the memory that it accesses; nothing for others.
constexpr std::optional<AccessKind> access_kind(const TraceEvent& event) {
  const wire::OperationTraits& traits = wire::traits(event.operation);
  switch (traits.effect) {
    case wire::Effect::kRead: return traits.is_atomic ? AccessKind::kAtomicRead : AccessKind::kRead;
    case wire::Effect::kWrite:
      return traits.is_atomic ? AccessKind::kAtomicWrite : AccessKind::kWrite;
    case wire::Effect::kUpdate:
      return event.result == wire::EventResult::kDone ? AccessKind::kAtomicWrite
                                                      : AccessKind::kAtomicRead;
    default: return std::nullopt;
  }
}

}  // namespace unravel
