/// Which runs of a hunt are repeated with a trace, so that something is learnt from them.
///
/// A trace shows accesses that no trace had, and with them new points and pairs. So runs are chosen
/// that executed something new: an access, or a result of an operation, that no run had before, or
/// two sites that met for the first time. Now and then another run is traced: what is new in it may
/// be something that nobody counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explore/strategy.hpp"

namespace unravel {

class LessonChoice {
 public:
  // Of one round. Chosen by hand.
  static constexpr std::size_t kMost = 4;
  // One run in so many is traced anyway; if that shows nothing new, one in twice as many, up to the
  // second number. Chosen by hand.
  static constexpr std::uint64_t kOften = 50, kSeldom = 12'800;

  /// The indexes of the runs of a round to trace, the most instructive first.
  std::vector<std::size_t> choose(const std::vector<Observation>& round);

  /// A trace showed something new, or not.
  void learnt(bool something);

 private:
  std::uint64_t since_ = 0;  // runs since the last trace
  std::uint64_t interval_ = kOften;
};

}  // namespace unravel
