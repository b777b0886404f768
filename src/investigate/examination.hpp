/// Is a program controlled, and if not, why? For `doctor`.
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
  std::uint64_t runs = 5;  // of one schedule
  std::uint64_t seed = 1;
  std::chrono::milliseconds later{0};  // after the first run, once more; 0: not at all
  std::string store;                   // a directory
  std::string input;
};

/// Runs one schedule of the program several times, forked, started anew and, if that is asked for,
/// some time later, and tells what differed first and why.
Result<Checkup> examine(const ExaminationRequest& request, const Program& program,
                        Observer& observer);

}  // namespace unravel
