/// A hunt as text: its progress, and what it explored.
#pragma once

#include <string>

#include "data/explored.hpp"
#include "data/hunted.hpp"
#include "report/text.hpp"

namespace unravel {

/// One line: `812 runs, 1350/s, 410 schedules, 35 behaviours, 12 of 20 pairs in both orders, …`.
std::string hunt_line(const Explored& explored);

/// A warning if most runs are unresolved; otherwise empty.
std::string mostly_unresolved(const Explored& explored);

/// A warning if data races cannot be found because the program has no hooks; otherwise empty.
std::string points_warning(const Hunted& hunted);

/// A warning if runs are slow; otherwise empty.
std::string slow_warning(const Explored& explored);

/// What was explored, one line for each aspect, and the chance that a bug was missed.
std::string explored_text(const Explored& explored);

/// `3 tests, 1 failed`, and a line for each reason why some of them tested nothing.
std::string tests_text(const std::vector<HuntedTest>& tests);

/// An upper bound of the probability that the runs of PCT missed a bug of this depth; 1 if PCT made
/// no runs.
double missed_at_most(const Explored& explored, unsigned depth);

}  // namespace unravel
