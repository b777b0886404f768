/// Patterns of accesses that are anomalies: which thread accesses which variable, in which order.
///
/// This is the specification of Huang and Zhang, "Persuasive Prediction of Concurrency Access
/// Anomalies", ISSTA 2011: sequences of events, threads, variables, atomic regions and kinds of
/// access. The same number is the same thing; other numbers are other things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/anomaly.hpp"

namespace unravel {

struct PatternEvent {
  std::uint8_t thread = 0;
  std::uint8_t unit = 0;  // an atomic region
  std::uint8_t variable = 0;
  bool is_write = false;

  friend bool operator==(const PatternEvent&, const PatternEvent&) = default;
};

struct Pattern {
  std::string name;
  AnomalyKind kind = AnomalyKind::kPattern;
  bool is_adjacent = false;  // nothing comes between the events
  bool is_of_set = false;    // its variables are one atomic set
  std::vector<PatternEvent> events;

  static constexpr std::size_t kMostEvents = 8;
  static constexpr std::size_t kMostThreads = 4;
  static constexpr std::size_t kMostVariables = 4;

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

/// Read-write, write-read and write-write of two threads, next to each other.
std::vector<Pattern> race_patterns();

/// All smallest conflict cycles of two units: an order of two conflicts that no serial execution of
/// the units has. With one variable there are 5, with two there are 27.
std::vector<Pattern> conflict_cycles();

/// A pattern in the notation of the papers, such as `Wu(x) Ru'(x) Ru'(y) Wu(y)`.
std::string notation(const Pattern& pattern);

}  // namespace unravel
