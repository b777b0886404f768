#include "data/alignment.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace unravel {

namespace {

using Texts = std::span<const std::string>;

struct Pair {
  std::size_t left = 0;
  std::size_t right = 0;
};

/// The pairs of a longest common subsequence.
std::vector<Pair> common_pairs(Texts left, Texts right) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Link {
    Pair pair;
    std::size_t before = kNone;  // the previous link
  };
  std::map<std::string_view, std::vector<std::size_t>> places;  // in the right list, last first
  for (std::size_t i = right.size(); i-- > 0;) places[right[i]].push_back(i);

  std::vector<Link> links;
  // For each k: of all common subsequences of k + 1 elements so far, the one that ends first on the
  // right. Its end, and its last link.
  std::vector<std::size_t> ends;
  std::vector<std::size_t> last_links;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto found = places.find(left[i]);
    if (found == places.end()) continue;
    // From the back, so that an element of the left list is not used twice.
    for (const std::size_t j : found->second) {
      const auto at = std::lower_bound(ends.begin(), ends.end(), j);
      const auto length = static_cast<std::size_t>(at - ends.begin());
      if (at != ends.end() && *at == j) continue;
      if (at == ends.end()) {
        ends.push_back(j);
        last_links.push_back(kNone);
      } else {
        *at = j;
      }
      links.push_back({{i, j}, length == 0 ? kNone : last_links[length - 1]});
      last_links[length] = links.size() - 1;
    }
  }

  std::vector<Pair> pairs;
  for (std::size_t link = last_links.empty() ? kNone : last_links.back(); link != kNone;
       link = links[link].before) {
    pairs.push_back(links[link].pair);
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

std::vector<AlignedRow> align(Texts left, Texts right) {
  const std::size_t shorter = std::min(left.size(), right.size());
  std::size_t front = 0;
  while (front < shorter && left[front] == right[front]) ++front;
  std::size_t back = 0;
  while (back < shorter - front && left[left.size() - 1 - back] == right[right.size() - 1 - back]) {
    ++back;
  }

  std::vector<AlignedRow> rows;
  std::size_t i = 0;
  std::size_t j = 0;
  const auto one_sided_up_to = [&](std::size_t left_end, std::size_t right_end) {
    for (; i < left_end; ++i) rows.push_back({i, std::nullopt});
    for (; j < right_end; ++j) rows.push_back({std::nullopt, j});
  };
  const auto both = [&] { rows.push_back({i++, j++}); };

  while (i < front) both();
  const Texts left_rest = left.subspan(front, left.size() - front - back);
  const Texts right_rest = right.subspan(front, right.size() - front - back);
  for (const Pair& pair : common_pairs(left_rest, right_rest)) {
    one_sided_up_to(front + pair.left, front + pair.right);
    both();
  }
  one_sided_up_to(left.size() - back, right.size() - back);
  while (i < left.size()) both();
  return rows;
}

}  // namespace unravel
