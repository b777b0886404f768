/// Finds another order of a run's events in which some of them come as wanted.
///
/// The events of the new order are a part of the run that is closed: with an event come those
/// before it in its thread, those that it must follow, and, depending on the rules, the write that
/// it reads. Two sound classes are in the literature. Mathur, Pavlogiannis and Viswanathan,
/// "Optimal Prediction of Synchronization-Preserving Races", POPL 2021, keep the order of critical
/// sections: then the closed part in its old order is the new order. Without that rule, finding an
/// order is a search (Pavlogiannis, "Fast, Sound, and Effectively Complete Dynamic Race
/// Prediction", POPL 2020); ours tries threads in the old order first and goes back where it is
/// stuck, for a limited number of steps.
///
/// A trace has no branches, so every read counts as one: its thread goes on as before only if it
/// reads the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "predict/history.hpp"

namespace unravel {

/// What is wanted of the new order.
struct Goal {
  enum class Kind : std::uint8_t {
    kOrder,       // these events, in this order, with anything between them
    kNeighbours,  // the same with nothing between them: both threads stand right before them
    kStand,       // threads stand right before these events, which do not happen
  };

  Kind kind = Kind::kOrder;
  std::vector<EventIndex> events;

  friend bool operator==(const Goal&, const Goal&) = default;
};

/// What may change.
struct ReorderRules {
  bool keeps_lock_order = true;  // critical sections of one lock come in their old order
  bool keeps_sources = true;     // a read has the value of the same write
  bool by_value = false;         // ... or of another one that wrote the same value
  bool keeps_usual = true;       // operations on other objects come in their old order
};

/// The new order, up to the last wanted event; of kStand, up to where the threads stand. Nothing:
/// there is none by these rules, or it was not found.
std::optional<std::vector<EventIndex>> reorder(const History& history, const Goal& goal,
                                               const ReorderRules& rules);

}  // namespace unravel
