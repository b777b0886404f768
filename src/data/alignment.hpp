/// Two lists side by side: what both have, in the same order, stands in one row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace unravel {

/// Positions in the two lists; at least one of them is there.
struct AlignedRow {
  std::optional<std::size_t> left;
  std::optional<std::size_t> right;

  friend bool operator==(const AlignedRow&, const AlignedRow&) = default;
};

/// A longest common subsequence, with what only one list has between its rows, the left one's
/// first. Read down either column, the rows give that list. Lists that begin alike share their
/// first rows, so the first row with an empty side is where they part.
///
/// J. W. Hunt and T. G. Szymanski, "A Fast Algorithm for Computing Longest Common Subsequences",
/// CACM 20(5), 1977: by pairs of equal elements, of which there are hardly more than elements
/// where these have names of their own, as the steps of threads have.
std::vector<AlignedRow> align(std::span<const std::string> left,
                              std::span<const std::string> right);

}  // namespace unravel
