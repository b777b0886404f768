/// How likely it is that a hunt missed a bug, by the bound of PCT.
///
/// Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with Probabilistic
/// Guarantees of Finding Bugs", ASPLOS 2010: a run of n threads and at most k steps with depth d
/// finds each bug of depth d with a chance of at least 1 / (n k^(d-1)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace unravel {

struct PctBound {
  std::vector<std::uint64_t> runs;  // by depth; [0] is not used
  std::vector<double> chances;      // by depth: the sum of 1 / k^(d-1) over these runs

  /// A resolved run that was made for a depth, with change points among its first `length` steps.
  /// If it had more steps, the bound says nothing about it.
  void add(unsigned depth, std::uint64_t length, std::uint64_t steps) {
    if (depth == 0 || length == 0 || steps > length) return;
    if (runs.size() <= depth) {
      runs.resize(depth + 1);
      chances.resize(depth + 1);
    }
    ++runs[depth];
    chances[depth] += 1 / std::pow(static_cast<double>(length), depth - 1.0);
  }

  /// The chance that all runs missed a bug of this depth, at most. The product of what each run
  /// missed is at most the power of their mean.
  [[nodiscard]] double missed_at_most(unsigned depth, std::uint32_t threads) const {
    if (depth >= runs.size() || runs[depth] == 0 || threads < 2) return 1;
    const auto count = static_cast<double>(runs[depth]);
    return std::pow(1 - chances[depth] / (count * threads), count);
  }

  friend bool operator==(const PctBound&, const PctBound&) = default;
};

}  // namespace unravel
