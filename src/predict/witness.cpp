#include "predict/witness.hpp"

#include <algorithm>

namespace unravel {

namespace {

constexpr const char* kNames[kRungs] = {"sync-preserving", "lock-reordering", "same-value",
                                        "speculative",     "paper",           "constraints"};

bool has_values(const History& history) {
  return std::any_of(history.events.begin(), history.events.end(), [](const KeptEvent& event) {
    return is_access(event.role) && event.has_value;
  });
}

}  // namespace

const char* name(Rung rung) { return kNames[static_cast<std::size_t>(rung)]; }

std::optional<Rung> rung_of(std::string_view name) {
  for (std::size_t i = 0; i < kRungs; ++i) {
    if (name == kNames[i]) return static_cast<Rung>(i);
  }
  return std::nullopt;
}

std::optional<std::vector<EventIndex>> witness(const History& history, const Goal& goal,
                                               Rung rung) {
  switch (rung) {
    case Rung::kSyncPreserving: return reorder(history, goal, {});
    case Rung::kLockReordering: return reorder(history, goal, {.keeps_lock_order = false});
    case Rung::kSameValue:
      if (!has_values(history)) return std::nullopt;
      return reorder(history, goal, {.keeps_lock_order = false, .by_value = true});
    case Rung::kSpeculative:
      return reorder(history, goal,
                     {.keeps_lock_order = false, .keeps_sources = false, .keeps_usual = false});
    case Rung::kPaper: return papers_order(history, goal);
    case Rung::kConstraints: return std::nullopt;
  }
  __builtin_unreachable();
}

// A thread stops at points only. Notes are made inside an operation, or right before something
// else.
wire::Clock clock_after(const KeptEvent& event) {
  const wire::OperationTraits& traits = wire::traits(event.operation);
  const wire::Clock clock = event.clock();
  switch (traits.counts) {
    case wire::Counts::kHook: return {clock.operations, clock.hooks + 1};
    case wire::Counts::kOperation: return {clock.operations, traits.after ? 0u : 1u};
    case wire::Counts::kNothing: break;
  }
  switch (traits.effect) {
    case wire::Effect::kReleaseToWait:
    case wire::Effect::kWoke:
    case wire::Effect::kArrive: return {clock.operations + 1, 0};
    default: return {clock.operations, clock.hooks + 1};
  }
}

std::vector<wire::Slice> slices_of(const History& history, const Goal& goal,
                                   const std::vector<EventIndex>& order) {
  std::vector<wire::Slice> slices;
  const auto add = [&](std::uint16_t thread, wire::Clock until) {
    if (!slices.empty() && slices.back().thread.ordinal == thread) {
      slices.back().until = std::max(slices.back().until, until);
    } else {
      slices.push_back({.thread = {.ordinal = thread}, .until = until});
    }
  };
  const bool are_neighbours = goal.kind == Goal::Kind::kNeighbours;
  const std::size_t before = are_neighbours ? order.size() - goal.events.size() : order.size();
  for (std::size_t i = 0; i < before; ++i) {
    const KeptEvent& event = history.events[order[i]];
    add(event.thread, clock_after(event));
  }
  if (are_neighbours) {
    // The thread of the first event comes last, and goes on at once.
    std::vector<std::uint16_t> standing;
    std::vector<EventIndex> firsts;
    for (const EventIndex event : goal.events) {
      const std::uint16_t thread = history.events[event].thread;
      if (std::find(standing.begin(), standing.end(), thread) != standing.end()) continue;
      standing.push_back(thread);
      firsts.push_back(event);
    }
    for (auto first = firsts.rbegin(); first != firsts.rend(); ++first) {
      add(history.events[*first].thread, history.events[*first].clock());
    }
    for (const EventIndex event : goal.events) {
      add(history.events[event].thread, clock_after(history.events[event]));
    }
  }
  if (goal.kind == Goal::Kind::kStand) {
    for (const EventIndex event : goal.events) {
      add(history.events[event].thread, clock_after(history.events[event]));
    }
  }
  return slices;
}

}  // namespace unravel
