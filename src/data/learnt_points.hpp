/// Which sites of a program are worth a switch of threads, as its runs so far have shown.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "data/schedule.hpp"

namespace unravel {

struct LearntPoints {
  std::vector<ModuleId> modules;  // what the sites are of; [0] is "not known"
  std::vector<wire::Site> sites;  // in ascending order, each once

  /// Adds what is not there yet; whether there was any. Sites of code that nobody knows are none.
  /// `loaded` is what `more` are sites of: what a run loads by itself may be something else in the
  /// next, under the same number, and is left out where the two lists differ.
  bool widen(std::span<const ModuleId> loaded, std::span<const wire::Site> more);

  friend bool operator==(const LearntPoints&, const LearntPoints&) = default;
};

std::vector<std::byte> encode(const LearntPoints& points);
Result<LearntPoints> decode_learnt_points(std::span<const std::byte> bytes);

}  // namespace unravel
