/// Compares the steps of two runs of one program.
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
    kOtherValue,  // the same step with another value, result or object
    // A memory access without a row in the other run, which got past it. Tables contain only
    // accesses at which threads met.
    kToldByOne,
  };

  const Step* left = nullptr;
  const Step* right = nullptr;
  Mark mark = Mark::kAlike;

  bool differs() const { return mark != Mark::kAlike && mark != Mark::kToldByOne; }
};

/// The first difference before the stored steps. Only the events are known, not their places.
struct EarlierDifference {
  std::size_t event = 0;  // its index
  std::optional<wire::Event> left;
  std::optional<wire::Event> right;
};

/// Contains pointers into the compared runs.
struct StepDiff {
  std::vector<DiffRow> rows;
  std::optional<std::size_t> first_difference;  // index of a row
  // The number of operations before the first row.
  std::uint64_t left_earlier = 0;
  std::uint64_t right_earlier = 0;
  bool compared_earlier = true;  // false: the earlier events are not known
  std::optional<EarlierDifference> earlier_difference;
};

/// Two steps are the same if their thread, clock, operation and place are equal.
StepDiff diff_steps(const Run& left, const Run& right);

}  // namespace unravel
