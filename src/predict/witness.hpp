/// Witnesses: runs that should show what was predicted, by several methods, cheapest first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "data/schedule.hpp"
#include "predict/history.hpp"
#include "predict/reordering.hpp"

namespace unravel {

/// How a witness is made. The first two are sound.
enum class Rung : std::uint8_t {
  kSyncPreserving,  // reads and critical sections stay as they were
  kLockReordering,  // critical sections may change places, reads have the same values
  kSameValue,       // a read may take another write of the same value
  kSpeculative,     // a read may take any write; the run decides
  kPaper,           // Algorithms 3 and 4 of the paper, for comparison
  kConstraints,     // the wanted order as constraints; all else is random
};
inline constexpr std::size_t kRungs = 6;
/// As options and reports call it.
const char* name(Rung rung);
std::optional<Rung> rung_of(std::string_view name);

/// The events of the run in a new order. Nothing: this rung has no witness. Of kConstraints there
/// is never one.
std::optional<std::vector<EventIndex>> witness(const History& history, const Goal& goal, Rung rung);

/// Algorithms 3 and 4 of Huang and Zhang, "Persuasive Prediction of Concurrency Access Anomalies",
/// ISSTA 2011. Theorem 1 there is wrong: the order may take a lock that another thread holds.
std::optional<std::vector<EventIndex>> papers_order(const History& history, const Goal& goal);

/// Slices that lead through a witness. For events that have to be neighbours, both threads first go
/// to where they stand right before them.
std::vector<wire::Slice> slices_of(const History& history, const Goal& goal,
                                   const std::vector<EventIndex>& order);

/// The clock of the first point after an event.
wire::Clock clock_after(const KeptEvent& event);

}  // namespace unravel
