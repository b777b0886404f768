/// The steps of two runs of one program, side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/run.hpp"

namespace unravel {

struct DiffRow {
  enum class Mark {
    kAlike,
    kLeftOnly,
    kRightOnly,
    kOtherValue,  // the same step, but it saw, wrote or met something else
    // A memory access that the other run went past and has no row for: tables tell only of those
    // accesses at which threads met.
    kToldByOne,
  };

  const Step* left = nullptr;
  const Step* right = nullptr;
  Mark mark = Mark::kAlike;

  bool differs() const { return mark != Mark::kAlike && mark != Mark::kToldByOne; }
};

/// Where runs part before the steps that are kept of them: known by their events, without places.
struct EarlierDifference {
  std::size_t event = 0;  // its number
  std::optional<wire::Event> left;
  std::optional<wire::Event> right;
};

/// Points into the runs that it was made of.
struct StepDiff {
  std::vector<DiffRow> rows;
  std::optional<std::size_t> first_difference;  // the number of a row
  // Operations before the first row: those before a run's own steps, and before the other one's.
  std::uint64_t left_earlier = 0;
  std::uint64_t right_earlier = 0;
  bool compared_earlier = true;  // else their events are not known
  std::optional<EarlierDifference> earlier_difference;
};

/// Steps are the same if thread, clock, operation and place are.
StepDiff diff_steps(const Run& left, const Run& right);

}  // namespace unravel
