/// The sites of a program at which a switch may matter, as learnt from its runs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "data/schedule.hpp"

namespace unravel {

struct LearntPoints {
  std::vector<ModuleId> modules;  // the files of the sites; [0] is "not known"
  std::vector<wire::Site> sites;  // ascending, without duplicates

  /// Adds new sites and returns whether there were any. Sites in unknown code are ignored. `loaded`
  /// are the files of `more`. A library that a run loads itself may have another number in the next
  /// run, so sites are ignored from where the two lists of files differ.
  bool widen(std::span<const ModuleId> loaded, std::span<const wire::Site> more);

  friend bool operator==(const LearntPoints&, const LearntPoints&) = default;
};

std::vector<std::byte> encode(const LearntPoints& points);
Result<LearntPoints> decode_learnt_points(std::span<const std::byte> bytes);

}  // namespace unravel
