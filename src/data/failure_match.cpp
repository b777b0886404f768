#include "data/failure_match.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace unravel {

namespace {

constexpr std::string_view kHeld = "held ";
constexpr std::string_view kWanted = ", wanted ";
constexpr std::string_view kNextEdge = "; ";

/// "worker src/a.c:31" and "worker libx.so+0x1234" without their numbers.
std::string without_numbers(std::string_view place) {
  const auto cut = [&](std::string_view mark, std::string_view digits) {
    const std::size_t at = place.rfind(mark);
    if (at == std::string_view::npos) return false;
    const std::string_view number = place.substr(at + mark.size());
    if (number.empty() || number.find_first_not_of(digits) != std::string_view::npos) return false;
    place = place.substr(0, at);
    return true;
  };
  if (!cut(":", "0123456789")) cut("+0x", "0123456789abcdef");
  return std::string(place);
}

/// What a thread of a cycle holds, and what it wants.
struct Edge {
  std::string held;
  std::string wanted;

  friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// "held A, wanted B; held B, wanted A", with or without line numbers.
std::vector<Edge> edges_of(std::string_view cycle, bool with_numbers) {
  const auto place = [&](std::string_view text) {
    return with_numbers ? std::string(text) : without_numbers(text);
  };
  std::vector<Edge> edges;
  while (!cycle.empty()) {
    const std::size_t end =
        std::min(cycle.find(std::string(kNextEdge) + std::string(kHeld)), cycle.size());
    std::string_view edge = cycle.substr(0, end);
    if (edge.starts_with(kHeld)) edge.remove_prefix(kHeld.size());
    const std::size_t wanted = std::min(edge.find(kWanted), edge.size());
    edges.push_back({place(edge.substr(0, wanted)),
                     place(edge.substr(std::min(wanted + kWanted.size(), edge.size())))});
    cycle.remove_prefix(std::min(end + kNextEdge.size(), cycle.size()));
  }
  return edges;
}

std::string cycle_without_numbers(std::string_view cycle) {
  // A cycle has no first edge, and without line numbers another rotation may be the smallest.
  std::vector<Edge> edges = edges_of(cycle, /*with_numbers=*/false);
  std::vector<Edge> smallest = edges;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    std::rotate(edges.begin(), edges.begin() + 1, edges.end());
    smallest = std::min(smallest, edges);
  }
  std::string text;
  for (const Edge& edge : smallest) {
    text += (text.empty() ? "" : std::string(kNextEdge)) + std::string(kHeld) + edge.held;
    if (!edge.wanted.empty()) text += std::string(kWanted) + edge.wanted;
  }
  return text;
}

/// An earlier version could name a header of the C++ library, through which all locks of a
/// program go. It may stand for any place.
bool is_same_place(const std::string& kept, const std::string& now) {
  return kept == now || kept.find("/include/c++/") != std::string::npos;
}

bool is_same_cycle(std::string_view kept, std::string_view now, bool with_numbers) {
  const std::vector<Edge> before = edges_of(kept, with_numbers);
  std::vector<Edge> after = edges_of(now, with_numbers);
  if (before.size() != after.size()) return false;
  const auto is_same = [](const Edge& one, const Edge& other) {
    return is_same_place(one.held, other.held) && is_same_place(one.wanted, other.wanted);
  };
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (std::equal(before.begin(), before.end(), after.begin(), is_same)) return true;
    std::rotate(after.begin(), after.begin() + 1, after.end());
  }
  return false;
}

/// The cycle of a key; empty if it has none.
std::string_view cycle_of(std::string_view key) {
  const std::size_t at = key.find(": ");
  if (at == std::string_view::npos) return {};
  const std::string_view rest = key.substr(at + 2);
  return rest.starts_with(kHeld) ? rest : std::string_view();
}

/// "a.c:31: main: Assertion `counter == 2' failed." without its place; empty if it has another
/// form, since it may then contain lines or values.
std::string_view assertion_of(std::string_view detail) {
  const std::size_t at = detail.find("Assertion ");
  return at == std::string_view::npos ? std::string_view() : detail.substr(at);
}

}  // namespace

std::string portable_key(const Failure& failure) {
  const std::string key(name(failure.kind));
  // The place of a timeout is arbitrary.
  if (failure.kind == FailureKind::kTimeout) return key;
  const std::string front = key + ": ";
  if (!failure.key.starts_with(front)) return failure.key;
  const std::string_view rest = std::string_view(failure.key).substr(front.size());
  if (failure.kind == FailureKind::kExit || failure.kind == FailureKind::kOracle) {
    return failure.key;
  }
  if (rest.starts_with(kHeld)) return front + cycle_without_numbers(rest);
  // Without a place, the rest is the detail.
  const std::string_view assertion =
      failure.kind == FailureKind::kAssert ? assertion_of(failure.detail) : std::string_view();
  if (assertion.empty()) return front + (failure.site ? without_numbers(rest) : std::string(rest));
  return front + (failure.site ? without_numbers(rest) + ": " : "") + std::string(assertion);
}

bool is_same_failure(const Failure& kept, const Failure& now) {
  if (portable_key(kept) == portable_key(now)) return true;
  const std::string_view before = cycle_of(kept.key);
  return kept.kind == now.kind && !before.empty() &&
         is_same_cycle(before, cycle_of(now.key), /*with_numbers=*/false);
}

bool is_same_key(std::string_view kept, std::string_view now) {
  if (kept == now) return true;
  const std::string_view before = cycle_of(kept);
  const std::string_view after = cycle_of(now);
  return !before.empty() && !after.empty() &&
         kept.substr(0, kept.size() - before.size()) == now.substr(0, now.size() - after.size()) &&
         is_same_cycle(before, after, /*with_numbers=*/true);
}

}  // namespace unravel
