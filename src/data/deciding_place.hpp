/// The switch that decides between a failing run and one that passes, as it is stored.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/explanation.hpp"
#include "wire/control.hpp"

namespace unravel {

struct DecidingPlace {
  wire::StopAt at;      // where the failing run leaves the thread
  std::string passing;  // id of the run that passes

  friend bool operator==(const DecidingPlace& one, const DecidingPlace& other) {
    return one.at.thread == other.at.thread && one.at.clock == other.at.clock &&
           one.passing == other.passing;
  }
};

/// Of the first switch that differs; nothing if the failing run does not have it.
std::optional<DecidingPlace> deciding_place(const SmallestDifference& difference);

/// One line: `T1:12+3 90c12f`.
std::string encode(const DecidingPlace& place);
/// Nothing if the text is none.
std::optional<DecidingPlace> read_deciding_place(std::string_view text);

}  // namespace unravel
