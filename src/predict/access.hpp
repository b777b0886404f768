/// A memory access: what is needed to tell whether two accesses conflict.
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

/// Whether two unordered accesses to the same byte are a race.
constexpr bool conflict(AccessKind one, AccessKind other) {
  return (writes(one) || writes(other)) && !(is_atomic(one) && is_atomic(other));
}

/// The access kind of an event that accesses memory; nothing for other events.
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
