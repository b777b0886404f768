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

/// "held A, wanted B; held B, wanted A": the edges of a cycle, which has no first edge.
std::string cycle_without_numbers(std::string_view cycle) {
  std::vector<std::string> edges;
  while (!cycle.empty()) {
    const std::size_t end =
        std::min(cycle.find(std::string(kNextEdge) + std::string(kHeld)), cycle.size());
    const std::string_view edge = cycle.substr(0, end);
    const std::size_t wanted = edge.find(kWanted);
    edges.push_back(wanted == std::string_view::npos
                        ? without_numbers(edge)
                        : without_numbers(edge.substr(0, wanted)) + std::string(kWanted) +
                              without_numbers(edge.substr(wanted + kWanted.size())));
    cycle.remove_prefix(std::min(end + kNextEdge.size(), cycle.size()));
  }
  // Without line numbers, another rotation of the cycle may be the smallest.
  std::vector<std::string> smallest = edges;
  for (std::size_t i = 1; i < edges.size(); ++i) {
    std::rotate(edges.begin(), edges.begin() + 1, edges.end());
    smallest = std::min(smallest, edges);
  }
  std::string text;
  for (const std::string& edge : smallest) text += (text.empty() ? "" : kNextEdge.data()) + edge;
  return text;
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

bool is_same_failure(const Failure& one, const Failure& other) {
  return portable_key(one) == portable_key(other);
}

}  // namespace unravel
