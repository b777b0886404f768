/// Decisions of runs, as the runtime records them: words of 64 bits.
///
/// A record is a head of two words and four words for each alternative:
///
///   head         kind (8 bits), whether the chosen thread's wait times out (8), alternatives (16),
///                ordinal of the chosen thread (32); then the step, or the ordinal of a run
///   alternative  site (48 bits, an address), operation (8), ability (8); the object; the thread;
///                what else the operation acts on (PendingOperation::also)
///
/// Decisions with one alternative are no decisions, and are not recorded.
#pragma once

#include <cstdint>

#include "wire/operation.hpp"

namespace unravel::wire {

enum class DecisionKind : std::uint8_t {
  kRun,     // a run begins
  kThread,  // which thread goes on
  kWaiter,  // which waiter is woken
  kEnd,     // the run ends; the alternatives are all live threads, and `chosen` had the turn
};
inline constexpr std::uint8_t kDecisionKindCount = 4;

/// What a thread could do at a decision.
enum class Ability : std::uint8_t {
  kGoOn,     // make its pending operation
  kTimeOut,  // it is blocked, but its deadline may come
  kBlocked,
};
inline constexpr std::uint8_t kAbilityCount = 3;

struct DecisionHead {
  static constexpr unsigned kTimeoutShift = 8;
  static constexpr unsigned kCountShift = 16;
  static constexpr unsigned kChosenShift = 32;
  static constexpr std::uint64_t kWords = 2;

  std::uint64_t word = 0;

  static constexpr DecisionHead of(DecisionKind kind, bool fires_timeout, std::uint16_t count,
                                   std::uint32_t chosen) {
    return {static_cast<std::uint64_t>(kind) |
            std::uint64_t{fires_timeout ? 1u : 0u} << kTimeoutShift |
            std::uint64_t{count} << kCountShift | std::uint64_t{chosen} << kChosenShift};
  }
  [[nodiscard]] constexpr std::uint8_t kind() const { return static_cast<std::uint8_t>(word); }
  [[nodiscard]] constexpr bool fires_timeout() const { return word >> kTimeoutShift & 1; }
  [[nodiscard]] constexpr std::uint16_t count() const {
    return static_cast<std::uint16_t>(word >> kCountShift);
  }
  [[nodiscard]] constexpr std::uint32_t chosen() const {
    return static_cast<std::uint32_t>(word >> kChosenShift);
  }
};

struct AlternativeHead {
  static constexpr unsigned kOperationShift = 48;
  static constexpr unsigned kAbilityShift = 56;
  static constexpr std::uint64_t kSiteMask = (std::uint64_t{1} << kOperationShift) - 1;
  static constexpr std::uint64_t kWords = 4;

  std::uint64_t word = 0;

  static constexpr AlternativeHead of(std::uint64_t site, Operation operation, Ability ability) {
    return {(site & kSiteMask) | static_cast<std::uint64_t>(operation) << kOperationShift |
            static_cast<std::uint64_t>(ability) << kAbilityShift};
  }
  [[nodiscard]] constexpr std::uint64_t site() const { return word & kSiteMask; }
  [[nodiscard]] constexpr std::uint8_t operation() const {
    return static_cast<std::uint8_t>(word >> kOperationShift);
  }
  [[nodiscard]] constexpr std::uint8_t ability() const {
    return static_cast<std::uint8_t>(word >> kAbilityShift);
  }
};

}  // namespace unravel::wire
