#include "data/deciding_place.hpp"

#include "data/print.hpp"

namespace unravel {

std::optional<DecidingPlace> deciding_place(const SmallestDifference& difference) {
  for (const DecidingSwitch& one : difference.switches) {
    if (!one.failing) continue;
    return DecidingPlace{.at = {one.failing->thread, one.failing->clock},
                         .passing = difference.passing};
  }
  return std::nullopt;
}

std::string encode(const DecidingPlace& place) {
  return print(place.at.thread, place.at.clock) + " " + place.passing + "\n";
}

std::optional<DecidingPlace> read_deciding_place(std::string_view text) {
  const std::size_t space = text.find(' ');
  const std::size_t end = text.find('\n');
  if (space == text.npos || end != text.size() - 1 || space > end) return std::nullopt;
  const auto clock = read_clock(text.substr(0, space));
  if (!clock) return std::nullopt;
  return DecidingPlace{.at = {clock->first, clock->second},
                       .passing = std::string(text.substr(space + 1, end - space - 1))};
}

}  // namespace unravel
