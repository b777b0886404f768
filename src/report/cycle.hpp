/// The cycle of a deadlock, parsed from the detail of the failure, and its text.
#pragma once

#include <string>
#include <vector>

#include "data/outcome.hpp"

namespace unravel {

/// One thread of the cycle.
struct Waiting {
  std::string thread;  // "T1"
  std::string object;  // "mutex 2"; empty if it waits for the other thread to end
  std::string holder;  // "T2"
  std::string wait;    // "waits for mutex 2", "waits for T2 to end"

  friend bool operator==(const Waiting&, const Waiting&) = default;
};

/// Empty if the failure is not a deadlock or its detail is not a cycle.
std::vector<Waiting> cycle_of(const Failure& failure);

/// One sentence per thread of the cycle; empty if there is no cycle.
std::string cycle_text(const Failure& failure);

}  // namespace unravel
