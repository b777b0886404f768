/// What a hunt has explored: counts that say how much was tried, and how certain the result is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/pct_bound.hpp"
#include "data/run.hpp"

namespace unravel {

/// How many of all there are.
struct Covered {
  std::uint64_t covered = 0;
  std::uint64_t total = 0;

  friend bool operator==(const Covered&, const Covered&) = default;
};

/// One strategy's part in a hunt.
struct StrategyShare {
  std::string strategy;
  std::uint64_t runs = 0;
  std::uint64_t new_behaviours = 0;

  friend bool operator==(const StrategyShare&, const StrategyShare&) = default;
};

struct Explored {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  double seconds = 0;             // of real time
  std::uint64_t schedules = 0;    // distinct ones, by their hash
  std::uint64_t behaviours = 0;   // distinct orders of actions on objects
  std::uint64_t pairs = 0;        // pairs of sites that met at an object
  std::uint64_t since_new = 0;    // runs since the last new behaviour
  std::uint64_t passed = 0;       // runs that passed
  std::uint64_t unresolved = 0;   // runs without a clear outcome
  std::string why_unresolved;     // reason of the first one, in a sentence
  Reason reason = Reason::kNone;  // the same as a word
  Covered data_pairs;             // conflicting accesses: met in both orders, of all known
  Covered sync_pairs;             // contending operations: met in both orders, of all known
  Covered functions;              // functions with a preemption, of those with points
  std::uint64_t longest = 0;      // steps of the longest run
  std::uint32_t threads = 0;      // of the run with the most threads
  PctBound pct;                   // of the runs that PCT proposed
  wire::PointSet points = wire::PointSet::kSync;  // where it could switch
  std::vector<StrategyShare> shares;
  std::map<std::string, std::uint64_t> failures;  // how often each key was seen

  /// Whether anything can be said about the program: some run was resolved.
  [[nodiscard]] bool tested() const { return runs > unresolved; }

  friend bool operator==(const Explored&, const Explored&) = default;
};

}  // namespace unravel
