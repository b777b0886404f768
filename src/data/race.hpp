/// A data race as reported to people: two accesses that nothing orders.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/frame.hpp"
#include "wire/ids.hpp"
#include "wire/operation.hpp"

namespace unravel {

struct RaceSide {
  wire::ThreadId thread;
  wire::Clock clock;
  wire::Operation operation = wire::Operation::kLoad;
  std::uint64_t size = 0;
  Frame site;            // the innermost frame of the program's own code
  Stack stack;           // innermost first
  std::string variable;  // as its code names what it accesses; empty: it has no name

  friend bool operator==(const RaceSide&, const RaceSide&) = default;
};

struct FoundRace {
  std::string key;       // the pair of places: equal for the same race under any interleaving
  std::string variable;  // the name of what both accessed
  RaceSide sides[2];     // in the order of the run
  std::uint64_t count = 0;

  friend bool operator==(const FoundRace&, const FoundRace&) = default;
};

/// The result of looking for races.
struct RaceReport {
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  double seconds = 0;  // of running and analysing
  std::vector<FoundRace> races;
  std::uint64_t suppressed = 0;
  bool is_cut = false;  // a run was too large to be analysed completely
};

}  // namespace unravel
