/// Two steps of a run that are made in the other order, and what comes of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/decisions.hpp"
#include "sim/sim_program.hpp"

namespace unravel {

using sim::SimProgram;
using sim::SimRun;

/// A run with its decisions.
struct Told {
  SimRun run;
  RunDecisions decisions;
};

inline Told told(SimRun run) {
  DecisionDecoder decoder;
  decoder.take(run.decisions, {});
  EXPECT_EQ(decoder.runs().size(), 1u);
  return {std::move(run), decoder.runs().empty() ? RunDecisions() : decoder.runs()[0]};
}

/// Two steps of different threads, one right after the other. Both threads could go on before.
struct Neighbours {
  std::size_t decision = 0;  // at which `first` was chosen
  Alternative first;
  Alternative second;
};

inline std::vector<RecordedDecision> turns_of(const Told& told) {
  std::vector<RecordedDecision> turns;
  for (const RecordedDecision& one : told.decisions.decisions) {
    if (one.kind == wire::DecisionKind::kThread) turns.push_back(one);
  }
  return turns;
}

inline std::optional<Alternative> of_thread(const RecordedDecision& decision,
                                            std::uint32_t thread) {
  for (const Alternative& one : decision.alternatives) {
    if (one.thread == thread) return one;
  }
  return std::nullopt;
}

inline std::vector<Neighbours> neighbours_of(const Told& told) {
  const std::vector<RecordedDecision> turns = turns_of(told);
  std::vector<Neighbours> found;
  for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
    const RecordedDecision& now = turns[i];
    const RecordedDecision& next = turns[i + 1];
    if (next.step != now.step + 1 || next.chosen == now.chosen) continue;
    // If the second step ends the run, the first cannot come after it: it closes a deadlock, say.
    if (i + 2 == turns.size() && told.run.counts.steps <= now.step + 2) continue;
    const auto first = of_thread(now, now.chosen);
    const auto second = of_thread(now, next.chosen);
    if (!first || !second || first->ability != wire::Ability::kGoOn ||
        second->ability != wire::Ability::kGoOn) {
      continue;
    }
    found.push_back({i, *first, *second});
  }
  return found;
}

/// Every turn by name, so that nothing is left to the run queue.
inline sim::SimSchedule schedule_of(const Told& told, const std::vector<RecordedDecision>& turns) {
  sim::SimSchedule schedule{.choices = told.run.schedule.choices};
  for (const RecordedDecision& one : turns) {
    schedule.clock_switches.push_back(
        {.count = one.step, .receiver = {.ordinal = one.chosen}, .has_receiver = 1});
  }
  return schedule;
}

inline Told follow(const SimProgram& program, const sim::SimSchedule& schedule,
                   const sim::SimLimits& limits) {
  return told(sim::run(program, schedule, wire::Following::kClockForm, limits));
}

template <class Item>
std::map<std::uint32_t, std::vector<Item>> by_thread(const std::vector<Item>& items) {
  std::map<std::uint32_t, std::vector<Item>> sorted;
  for (const Item& one : items) sorted[one.thread.ordinal].push_back(one);
  return sorted;
}

inline std::vector<Alternative> sorted(std::vector<Alternative> alternatives) {
  std::sort(alternatives.begin(), alternatives.end(),
            [](const Alternative& a, const Alternative& b) { return a.thread < b.thread; });
  return alternatives;
}

/// The decisions from `step` on, the alternatives in order of threads.
inline std::vector<RecordedDecision> decisions_from(const Told& told, std::uint64_t step) {
  std::vector<RecordedDecision> later;
  for (RecordedDecision one : told.decisions.decisions) {
    if (one.step < step) continue;
    // Waiters are in the order in which they came.
    if (one.kind == wire::DecisionKind::kThread) one.alternatives = sorted(one.alternatives);
    later.push_back(one);
  }
  return later;
}

/// What every thread was about to do at the end. Which of them had the turn may differ, and with it
/// what is told of their abilities.
inline std::vector<Alternative> end_of(const Told& told) {
  std::vector<Alternative> all = sorted(told.decisions.at_end);
  for (Alternative& one : all) one.ability = wire::Ability::kGoOn;
  return all;
}

/// What differs between two runs whose steps are the same but for an exchange before `step`.
inline std::string difference_from(std::uint64_t step, const Told& one, const Told& other) {
  if (one.run.words.kind != other.run.words.kind || one.run.failure() != other.run.failure()) {
    return std::string("the outcomes: ") + other.run.words.text;
  }
  if (decisions_from(one, step) != decisions_from(other, step)) return "what threads can do later";
  if (end_of(one) != end_of(other)) return "what threads are about to do at the end";
  if (one.run.objects != other.run.objects) return "the values";
  if (by_thread(one.run.events) != by_thread(other.run.events)) return "the events of a thread";
  if (by_thread(one.run.schedule.choices) != by_thread(other.run.schedule.choices)) {
    return "the choices of a thread";
  }
  if (one.run.counts.steps != other.run.counts.steps) return "the steps";
  if (one.run.now != other.run.now) return "the time";
  return {};
}

/// Makes the run again with these two steps in the other order; what differs then, or nothing.
inline std::string exchange(const SimProgram& program, const Told& recorded, const Neighbours& pair,
                            const sim::SimLimits& limits) {
  std::vector<RecordedDecision> turns = turns_of(recorded);
  std::swap(turns[pair.decision].chosen, turns[pair.decision + 1].chosen);
  const Told exchanged = follow(program, schedule_of(recorded, turns), limits);
  const std::uint64_t step = turns[pair.decision].step;
  for (const RecordedDecision& one : turns_of(exchanged)) {
    if (one.step == step && one.chosen != pair.second.thread) return "the second cannot be first";
    if (one.step == step + 1 && one.chosen != pair.first.thread) return "the first cannot follow";
  }
  return difference_from(step + 2, recorded, exchanged);
}

inline std::string name_of(const Alternative& one) {
  return "T" + std::to_string(one.thread) + " " + wire::traits(one.operation).name;
}

}  // namespace unravel
