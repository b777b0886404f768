/// Arbitrary small programs.
#pragma once

#include <string>

#include "unit/runtime/any_run.hpp"

namespace unravel {

inline Steps any_steps(int most, int depth);

/// Something between taking and giving back.
inline Steps any_block(int depth) {
  Steps steps;
  switch (any_below(5)) {
    case 0:
    case 1: {
      // Timed: if it times out, what it would have protected is left out.
      const std::string mutex = any_below(2) ? "a" : "b";
      steps = {"lock " + mutex + any_time(), "if $result == 0"};
      add(steps, any_steps(3, depth + 1));
      if (mutex == "a" && any_below(3) == 0) add(steps, {"wait c a" + any_time()});
      add(steps, {"unlock " + mutex, "end"});
      break;
    }
    case 2:
    case 3: {
      steps = {(any_below(2) ? "rdlock w" : "wrlock w") + any_time(), "if $result == 0"};
      add(steps, any_steps(2, depth + 1));
      add(steps, {"rwunlock w", "end"});
      break;
    }
    case 4: {
      steps = {"trylock a", "$tries = 0", "while $result != 0"};
      add(steps, {any_below(2) ? "yield" : "sleep 1ms", "trylock a", "$tries = $tries + 1",
                  "if $tries > 60", "exit 3", "end", "end"});
      add(steps, any_steps(2, depth + 1));
      add(steps, {"unlock a"});
      break;
    }
  }
  return steps;
}

inline Steps any_steps(int most, int depth) {
  const char* const singles[] = {"step",         "step",           "yield",       "signal c",
                                 "broadcast c",  "post s",         "sleep 1ms",   "sleep 3s",
                                 "hook",         "access x",       "call",        "x = x + 1",
                                 "read x",       "write x 2",      "barrier k 2", "sem_trywait s",
                                 "assert x < 3", "futex_wake f 2", "write f 1"};
  Steps steps;
  for (int left = any_below(most + 1); left > 0; --left) {
    const int kind = any_below(10);
    if (kind < 3 && depth < 2) {
      add(steps, any_block(depth));
    } else if (kind == 3) {
      add(steps, {"sem_wait s" + any_time()});
    } else if (kind == 4) {
      add(steps, {"futex_wait f 0" + any_time()});
    } else {
      add(steps, {singles[any_below(static_cast<int>(std::size(singles)))]});
    }
  }
  return steps;
}

inline SimProgram any_program() {
  SimProgram program{.start = {{"s", any_below(2)}, {"f", 0}, {"x", 0}}};
  const int threads = 1 + any_below(3);
  Steps main;
  for (int i = 0; i < threads; ++i) add(main, {"create t" + std::to_string(i)});
  add(main, any_steps(4, 0));
  // Some are joined, the others are alive when main returns, and some are created anew.
  for (int i = 0; i < threads; ++i) {
    if (any_below(4)) add(main, {"join t" + std::to_string(i) + any_time()});
  }
  if (any_below(3) == 0) add(main, {"create t0", "step"});
  program.threads.push_back({"main", main});
  for (int i = 0; i < threads; ++i) {
    program.threads.push_back({"t" + std::to_string(i), any_steps(6, 0)});
  }
  return program;
}

inline wire::PointSet any_points() {
  const wire::PointSet sets[] = {wire::PointSet::kSync, wire::PointSet::kCalls,
                                 wire::PointSet::kMemory, wire::PointSet::kAuto};
  return sets[any_below(4)];
}

}  // namespace unravel
