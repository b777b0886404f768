/// What is found out about a failure: the simplest run that shows it, and which switch decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/cost.hpp"
#include "data/frame.hpp"
#include "wire/ids.hpp"

namespace unravel {

/// Where a thread stood at some clock of a run.
struct Place {
  wire::ThreadId thread;
  wire::Clock clock;
  Stack stack;           // innermost first; empty if it is not known
  std::string variable;  // that it is about to access; empty if it has no name

  friend bool operator==(const Place&, const Place&) = default;
};

/// A thread that could have gone on, and who went on instead.
struct Preemption {
  Place place;
  wire::ThreadId to;
};

struct Simplification {
  std::string run;  // the simplest; the run it was made from, if nothing is simpler
  std::string from;
  Cost before;
  Cost after;
  std::uint64_t runs = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
  // Switches that went by each operation.
  std::uint64_t remove_last = 0;
  std::uint64_t consolidate_up = 0;
  std::uint64_t consolidate_down = 0;
  bool complete = true;  // else it was stopped before nothing was better
  std::vector<Preemption> preemptions;
};

}  // namespace unravel
