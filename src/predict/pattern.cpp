#include "predict/pattern.hpp"

#include <array>

namespace unravel {

namespace {

constexpr PatternEvent event(std::uint8_t unit, std::uint8_t variable, bool is_write) {
  return {.thread = unit, .unit = unit, .variable = variable, .is_write = is_write};
}

/// Two accesses conflict if one of them writes.
struct Conflict {
  bool first_writes;
  bool then_writes;
};
constexpr std::array<Conflict, 3> kConflicts = {{{true, true}, {true, false}, {false, true}}};

std::string letters(const std::vector<PatternEvent>& events) {
  std::string text;
  for (const PatternEvent& one : events) text += one.is_write ? 'W' : 'R';
  return text;
}

/// Such as `Wx-R'x-R'y-Wy`.
std::string name_of(const std::vector<PatternEvent>& events) {
  std::string text;
  for (const PatternEvent& one : events) {
    if (!text.empty()) text += '-';
    text += one.is_write ? 'W' : 'R';
    if (one.unit != 0) text += '\'';
    text += static_cast<char>('x' + one.variable);
  }
  return text;
}

Pattern make(AnomalyKind kind, std::string name, const std::vector<PatternEvent>& events) {
  return {.name = std::move(name),
          .kind = kind,
          .is_adjacent = kind == AnomalyKind::kRace,
          .is_of_set = kind == AnomalyKind::kSet,
          .events = events};
}

}  // namespace

std::vector<Pattern> race_patterns() {
  std::vector<Pattern> patterns;
  for (const Conflict& conflict : kConflicts) {
    const std::vector<PatternEvent> events = {event(0, 0, conflict.first_writes),
                                              event(1, 0, conflict.then_writes)};
    patterns.push_back(make(AnomalyKind::kRace, letters(events), events));
  }
  return patterns;
}

// Unit 0 comes before unit 1 in one conflict, and after it in the other. The first event of all
// belongs to unit 0, and is an access to x: otherwise the names are exchanged.
std::vector<Pattern> conflict_cycles() {
  std::vector<Pattern> patterns;
  // One variable: the access of unit 1 is in both conflicts.
  for (const Conflict& out : kConflicts) {
    for (const Conflict& back : kConflicts) {
      if (out.then_writes != back.first_writes) continue;
      const std::vector<PatternEvent> events = {event(0, 0, out.first_writes),
                                                event(1, 0, out.then_writes),
                                                event(0, 0, back.then_writes)};
      patterns.push_back(make(AnomalyKind::kAtomicity, letters(events), events));
    }
  }
  // Two variables: out on x, back on y. Three orders keep both conflicts and begin with unit 0.
  for (const Conflict& out : kConflicts) {
    for (const Conflict& back : kConflicts) {
      const PatternEvent a = event(0, 0, out.first_writes);
      const PatternEvent b = event(1, 0, out.then_writes);
      const PatternEvent c = event(1, 1, back.first_writes);
      const PatternEvent d = event(0, 1, back.then_writes);
      for (const std::vector<PatternEvent>& events :
           {std::vector{a, b, c, d}, std::vector{a, c, b, d}, std::vector{a, c, d, b}}) {
        patterns.push_back(make(AnomalyKind::kSet, name_of(events), events));
      }
    }
  }
  return patterns;
}

std::string notation(const Pattern& pattern) {
  std::string text;
  for (const PatternEvent& one : pattern.events) {
    if (!text.empty()) text += ' ';
    text += one.is_write ? 'W' : 'R';
    text += 'u';
    text += std::string(one.unit, '\'');
    text += '(';
    text += static_cast<char>('x' + one.variable % 3);
    if (one.variable >= 3) text += '2';
    text += ')';
  }
  return text;
}

}  // namespace unravel
