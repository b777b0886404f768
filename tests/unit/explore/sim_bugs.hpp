/// Simulated programs with a bug each, in the manner of the suites that strategies are judged by.
#pragma once

#include "sim/sim_program.hpp"

namespace unravel {

/// Two threads add to a counter, each in two steps with others between them.
inline sim::SimProgram lost_update(std::size_t between = 0) {
  sim::Steps steps = {"read x", "$x = $result"};
  for (std::size_t i = 0; i < between; ++i) steps.push_back("step");
  steps.push_back("write x $x + 1");
  return {.threads = {{"a", steps}, {"b", steps}}, .fails_if = "x != 2"};
}

/// `setters` threads write one variable after the other; one more reads both and finds that only
/// one was written.
inline sim::SimProgram reorder(std::size_t setters) {
  sim::Steps start = sim::repeat("create setter", setters);
  start.push_back("create checker");
  return {.threads = {{"starter", start},
                      {"setter", {"write a 1", "write b 1"}},
                      {"checker", {"read a", "$a = $result", "read b", "assert $a == $result"}}}};
}

/// Two locks for what should have been done under one.
inline sim::SimProgram two_stage(std::size_t writers) {
  sim::Steps start = sim::repeat("create writer", writers);
  start.push_back("create reader");
  return {.threads = {
              {"starter", start},
              {"writer", {"lock m", "write u 1", "unlock m", "lock n", "write v 2", "unlock n"}},
              {"reader",
               {"lock m", "read u", "$u = $result", "unlock m", "if $u == 1", "lock n", "read v",
                "assert $result == 2", "unlock n", "end"}}}};
}

/// Four steps of two threads have to come in turns: three orders, two preemptions.
inline sim::SimProgram chain() {
  const auto link = [](int from) {
    const std::string before = std::to_string(from);
    return sim::Steps{"write p 0", "if s == " + before, "s = " + std::to_string(from + 1), "end"};
  };
  return {
      .threads = {{"a", sim::in_order(link(0), link(2))}, {"b", sim::in_order(link(1), link(3))}},
      .fails_if = "s == 4"};
}

/// One thread reads only after the other has written thirty times.
inline sim::SimProgram late_reader() {
  sim::Steps steps;
  for (int i = 1; i <= 30; ++i) steps.push_back("write x " + std::to_string(i));
  return {.threads = {{"reader", {"read x", "assert $result < 30"}}, {"writer", steps}}};
}

}  // namespace unravel
