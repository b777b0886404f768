/// How far a loop of runs has come: one line that is written over on a terminal, nothing elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/console.hpp"

namespace unravel {

class Progress {
 public:
  Progress(const Console& console, std::uint64_t total);

  void show(std::uint64_t runs);
  void clear();

 private:
  using Time = std::chrono::steady_clock::time_point;

  const Console& console_;
  std::uint64_t total_;
  bool shown_ = false;
  Time began_;
  Time last_;
};

}  // namespace unravel
