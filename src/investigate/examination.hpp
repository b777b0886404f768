/// Checks whether unravel controls a program, and if not, why: for `doctor`.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "data/checkup.hpp"
#include "data/judging.hpp"
#include "data/program.hpp"
#include "investigate/observer.hpp"

namespace unravel {

struct ExaminationRequest {
  Judging judging;
  std::uint64_t runs = 5;  // repetitions of one schedule, including the first run
  std::uint64_t seed = 1;
  std::chrono::milliseconds later{0};  // when to repeat it once more, after the first run; 0: never
  std::string store;                   // a directory
  std::string input;
};

/// Runs one schedule of the program several times: forked, restarted and, if requested, later.
/// Returns the first difference and its likely cause.
Result<Checkup> examine(const ExaminationRequest& request, const Program& program,
                        Observer& observer);

}  // namespace unravel
