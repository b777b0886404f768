/// A stop of a run, as a person names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/print.hpp"
#include "wire/control.hpp"

namespace unravel {

/// A clock of one thread or, if `points` is given, the number of points that all threads together
/// have passed: the count of clock form.
struct NamedStop {
  wire::StopAt at;
  std::optional<std::uint64_t> points;

  friend bool operator==(const NamedStop& one, const NamedStop& other) {
    return one.points == other.points &&
           (one.points || (one.at.thread == other.at.thread && one.at.clock == other.at.clock));
  }
};

inline std::string print(const NamedStop& moment) {
  return moment.points ? std::to_string(*moment.points) : print(moment.at.thread, moment.at.clock);
}

}  // namespace unravel
