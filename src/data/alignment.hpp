/// Aligns two lists: common elements, in the same order, share a row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace unravel {

/// Positions in the two lists; at least one is set.
struct AlignedRow {
  std::optional<std::size_t> left;
  std::optional<std::size_t> right;

  friend bool operator==(const AlignedRow&, const AlignedRow&) = default;
};

/// A longest common subsequence. Elements of only one list are between its rows, the left ones
/// first. Each column, read downwards, is the whole list. Common first elements share the first
/// rows, so the first row with an empty side is the first difference.
///
/// J. W. Hunt and T. G. Szymanski, "A Fast Algorithm for Computing Longest Common Subsequences",
/// CACM 20(5), 1977. Its cost depends on the number of equal pairs. Steps of threads are nearly
/// unique, so there are hardly more pairs than elements.
std::vector<AlignedRow> align(std::span<const std::string> left,
                              std::span<const std::string> right);

}  // namespace unravel
