#include "predict/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace unravel {
namespace {

/// An event as numbers that can be compared: unit, variable, whether it writes.
using Access = std::tuple<int, int, bool>;
using Sequence = std::vector<Access>;

int unit_of(const Access& access) { return std::get<0>(access); }
int variable_of(const Access& access) { return std::get<1>(access); }
bool is_write(const Access& access) { return std::get<2>(access); }

Sequence sequence_of(const Pattern& pattern) {
  Sequence sequence;
  for (const PatternEvent& event : pattern.events) {
    sequence.emplace_back(event.unit, event.variable, event.is_write);
  }
  return sequence;
}

/// Units and variables numbered in the order in which they come: the same for all that differ in
/// names only.
Sequence renamed(const Sequence& sequence) {
  std::map<int, int> units;
  std::map<int, int> variables;
  Sequence result;
  for (const Access& access : sequence) {
    const int unit = units.try_emplace(unit_of(access), units.size()).first->second;
    const int variable = variables.try_emplace(variable_of(access), variables.size()).first->second;
    result.emplace_back(unit, variable, is_write(access));
  }
  return result;
}

bool conflict(const Access& one, const Access& other) {
  return unit_of(one) != unit_of(other) && variable_of(one) == variable_of(other) &&
         (is_write(one) || is_write(other));
}

/// Whether each of two units comes before the other in some conflict: no serial execution does.
bool has_cycle(const Sequence& sequence) {
  std::set<std::pair<int, int>> before;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    for (std::size_t j = i + 1; j < sequence.size(); ++j) {
      if (conflict(sequence[i], sequence[j])) {
        before.insert({unit_of(sequence[i]), unit_of(sequence[j])});
      }
    }
  }
  return before.contains({0, 1}) && before.contains({1, 0});
}

/// All orders of two units in which each keeps its own order.
void interleave(const Sequence& one, const Sequence& other, const Sequence& so_far,
                std::set<Sequence>& found) {
  if (one.empty() && other.empty()) {
    if (has_cycle(so_far)) found.insert(renamed(so_far));
    return;
  }
  for (const bool takes_one : {true, false}) {
    const Sequence& from = takes_one ? one : other;
    if (from.empty()) continue;
    Sequence longer = so_far;
    longer.push_back(from.front());
    const Sequence rest(from.begin() + 1, from.end());
    interleave(takes_one ? rest : one, takes_one ? other : rest, longer, found);
  }
}

/// The accesses of a unit to these variables, some of which write.
Sequence unit(int number, const std::vector<int>& variables, unsigned writes) {
  Sequence accesses;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    accesses.emplace_back(number, variables[i], writes >> i & 1);
  }
  return accesses;
}

std::set<Sequence> cycles_of_one_variable() {
  std::set<Sequence> found;
  for (unsigned two = 0; two < 4; ++two) {
    for (unsigned single = 0; single < 2; ++single) {
      interleave(unit(0, {0, 0}, two), unit(1, {0}, single), {}, found);
      interleave(unit(0, {0}, single), unit(1, {0, 0}, two), {}, found);
    }
  }
  return found;
}

std::set<Sequence> cycles_of_two_variables() {
  const std::vector<std::vector<int>> orders = {{0, 1}, {1, 0}};
  std::set<Sequence> found;
  for (const std::vector<int>& one : orders) {
    for (const std::vector<int>& other : orders) {
      for (unsigned writes = 0; writes < 16; ++writes) {
        interleave(unit(0, one, writes & 3), unit(1, other, writes >> 2), {}, found);
      }
    }
  }
  return found;
}

std::vector<Pattern> cycles_of(AnomalyKind kind) {
  std::vector<Pattern> patterns = conflict_cycles();
  std::erase_if(patterns, [&](const Pattern& pattern) { return pattern.kind != kind; });
  return patterns;
}

std::set<Sequence> sequences_of(const std::vector<Pattern>& patterns) {
  std::set<Sequence> sequences;
  for (const Pattern& pattern : patterns) sequences.insert(renamed(sequence_of(pattern)));
  return sequences;
}

TEST(RacePatterns, AreTheThreeConflictsOfNeighbours) {
  std::set<std::string> names;
  for (const Pattern& pattern : race_patterns()) {
    names.insert(pattern.name);
    EXPECT_EQ(pattern.kind, AnomalyKind::kRace);
    EXPECT_TRUE(pattern.is_adjacent);
    EXPECT_FALSE(pattern.is_of_set);
    ASSERT_EQ(pattern.events.size(), 2u);
    const Sequence sequence = sequence_of(pattern);
    EXPECT_TRUE(conflict(sequence[0], sequence[1])) << pattern.name;
    EXPECT_NE(pattern.events[0].thread, pattern.events[1].thread);
  }
  EXPECT_EQ(race_patterns().size(), 3u);
  EXPECT_EQ(names, (std::set<std::string>{"RW", "WR", "WW"}));
}

TEST(ConflictCycles, OfOneVariableAreFive) {
  std::set<std::string> names;
  for (const Pattern& pattern : cycles_of(AnomalyKind::kAtomicity)) {
    names.insert(pattern.name);
    EXPECT_FALSE(pattern.is_adjacent);
    EXPECT_FALSE(pattern.is_of_set);
    EXPECT_EQ(pattern.events.size(), 3u);
    // The name is what the accesses do.
    std::string letters;
    for (const PatternEvent& event : pattern.events) letters += event.is_write ? 'W' : 'R';
    EXPECT_EQ(pattern.name, letters);
  }
  EXPECT_EQ(cycles_of(AnomalyKind::kAtomicity).size(), 5u);
  EXPECT_EQ(names, (std::set<std::string>{"RWR", "RWW", "WRW", "WWR", "WWW"}));
}

TEST(ConflictCycles, OfTwoVariablesAreTwentySeven) {
  std::set<std::string> names;
  for (const Pattern& pattern : cycles_of(AnomalyKind::kSet)) {
    names.insert(pattern.name);
    EXPECT_FALSE(pattern.is_adjacent);
    EXPECT_TRUE(pattern.is_of_set);
    EXPECT_EQ(pattern.events.size(), 4u);
  }
  EXPECT_EQ(cycles_of(AnomalyKind::kSet).size(), 27u);
  EXPECT_EQ(names.size(), 27u);
  EXPECT_TRUE(names.contains("Wx-R'x-R'y-Wy"));
}

TEST(ConflictCycles, AreOfTwoThreadsWithAUnitEach) {
  for (const Pattern& pattern : conflict_cycles()) {
    std::set<std::pair<int, int>> units;
    for (const PatternEvent& event : pattern.events) units.insert({event.thread, event.unit});
    EXPECT_EQ(units, (std::set<std::pair<int, int>>{{0, 0}, {1, 1}})) << pattern.name;
  }
}

TEST(ConflictCycles, BeginWithTheFirstUnitAndTheFirstVariable) {
  for (const Pattern& pattern : conflict_cycles()) {
    EXPECT_EQ(pattern.events[0].unit, 0) << pattern.name;
    EXPECT_EQ(pattern.events[0].variable, 0) << pattern.name;
  }
}

TEST(ConflictCycles, DifferInMoreThanTheNamesOfUnitsAndVariables) {
  // Other names of the same: units exchanged, variables exchanged, or both.
  const auto exchanged = [](Sequence sequence, bool units, bool variables) {
    for (Access& access : sequence) {
      if (units) std::get<0>(access) = 1 - unit_of(access);
      if (variables) std::get<1>(access) = 1 - variable_of(access);
    }
    return sequence;
  };
  const std::vector<Pattern> patterns = conflict_cycles();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (std::size_t j = i + 1; j < patterns.size(); ++j) {
      const Sequence one = sequence_of(patterns[i]);
      const Sequence other = sequence_of(patterns[j]);
      for (const bool units : {false, true}) {
        for (const bool variables : {false, true}) {
          EXPECT_NE(one, exchanged(other, units, variables))
              << patterns[i].name << " " << patterns[j].name;
        }
      }
      EXPECT_NE(renamed(one), renamed(other)) << patterns[i].name << " " << patterns[j].name;
    }
  }
}

TEST(ConflictCycles, OfOneVariableAreAllThatThereAre) {
  EXPECT_EQ(sequences_of(cycles_of(AnomalyKind::kAtomicity)), cycles_of_one_variable());
}

TEST(ConflictCycles, OfTwoVariablesAreAllThatThereAre) {
  EXPECT_EQ(sequences_of(cycles_of(AnomalyKind::kSet)), cycles_of_two_variables());
}

TEST(Notation, IsThatOfThePaper) {
  const std::vector<Pattern> patterns = conflict_cycles();
  const auto of = [&](std::string_view name) {
    const auto found = std::find_if(patterns.begin(), patterns.end(),
                                    [&](const Pattern& one) { return one.name == name; });
    return found == patterns.end() ? "there is none" : notation(*found);
  };
  EXPECT_EQ(of("Wx-R'x-R'y-Wy"), "Wu(x) Ru'(x) Ru'(y) Wu(y)");
  EXPECT_EQ(of("RWR"), "Ru(x) Wu'(x) Ru(x)");
}

TEST(Notation, TellsAllUnitsAndVariablesApart) {
  Pattern pattern;
  for (std::uint8_t i = 0; i < 4; ++i) {
    pattern.events.push_back({.thread = i, .unit = i, .variable = i, .is_write = i % 2 == 0});
  }
  EXPECT_EQ(notation(pattern), "Wu(x) Ru'(y) Wu''(z) Ru'''(x2)");
}

}  // namespace
}  // namespace unravel
